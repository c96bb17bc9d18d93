"Pictures of real notebooks in JupyterLab, light and dark, for the README and the site. `make pictures` takes them; `--check` says whether those that are saved show what a run shows today."
import io,json,re,sys
from pathlib import Path
from fastcore.script import call_parse
from nbdistributed.testbed.browser import Browser,Jupyter,Page

width = 800 # pixels of the window, which is as wide as GitHub shows a README
patience = 120 # seconds for whatever is waited for: a busy machine takes longer, and shows the same in the end; a test's cell ends us after 300, without a word
start = ['%load_ext nbdistributed', '%dist_init -n 2']
# Name: what the picture shows, as its alternative text; cells that are run; a pattern that is waited for in the last one, which is stopped then, if its end is not shown
scenes = dict(
    hang = ('Rank 0 waits in a collective that rank 1 has not called; the notebook says who waits for whom, and that stop frees it', [
        "step = 7\nif rank==0: dist.all_reduce(torch.ones(1))\nelse:\n    while True: sleep(.1)"], 'has waited'),
    freed = ('After the stop button: both ranks are interrupted, and the next cell uses the variables of before and a collective', [
        "x = torch.ones(1)*rank\ndist.all_reduce(x)\nstep,x"], None),
    bars = ('Progress bars of one loop on two ranks while it runs: rank 1 is half as fast', [
        'for i in tqdm(range(40), desc="train"): sleep(.3*(1+rank))'], r' (1[6-9]|[234]\d)/40.* ([5-9]|[1-4]\d)/40'),
    heal = ('Rank 1 is killed; %dist_heal replaces it and copies the variables of rank 0', [
        '%%rank 1\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)', '%dist_heal --from 0 --names step x', 'step+rank'], None),
    gallery = ('A plot of each rank, values side by side, and a table of the variables', [
        'import matplotlib.pyplot as plt\nplt.figure(figsize=(3,1.2)); plt.title(f"rank {rank}")\nplt.plot(torch.randn(50).cumsum(0)); plt.show()',
        'dict(loss=round(.1+rank/7, 3), lr=1e-3)', '%dist_vars'], None),
)

# The moving picture, `film`: cells, typed as they stand here. The third hangs, and is stopped
acts = ['%load_ext nbdistributed\n%dist_init -n 2', 'x = torch.ones(3)*(rank+1)\ndist.all_reduce(x)\nx', 'if rank==0:\n    dist.all_reduce(x)  # rank 1 never calls it', 'dist.all_reduce(x)\nx']
stop = '.jp-NotebookPanel-toolbar [data-command="notebook:interrupt-kernel"]'

def masked(text):
    "What a picture shows, without what differs from run to run"
    text = re.sub(r'\|[\s▏▎▍▌▋▊▉█]*\|', '|…|', text) # how full a bar is
    text = re.sub(r': the OOM killer ended it: [\w ]+ ran out of memory', '', text) # it has ended another process, while this one was killed
    return re.sub(r'\s+', ' ', re.sub(r'\d+(:\d+|\.\d+)*', '0', text)).strip()

def cells_box(page, cells):
    "The part of the window that `cells` cover"
    boxes = [c.node.bounding_box() for c in cells]
    top,bottom = min(o['y'] for o in boxes),max(o['y']+o['height'] for o in boxes)
    return dict(x=boxes[0]['x'], y=top, width=boxes[0]['width'], height=bottom-top-3) # below it is the next cell's frame

def take(browser, jupyter, names, dark, to):
    "Run the scenes in one notebook and take a picture of each; what they show, by name"
    jupyter.dark(dark)
    shown = {}
    with Page(browser, jupyter, jupyter.new(f'{"dark" if dark else "light"}.ipynb').name, size=(width+60, 1400)) as nb:
        nb.ready(timeout=patience)
        browser.call(nb.page.keyboard.press, 'Control+B') # the file browser would take a third of the width
        for c in *start, 'from time import sleep\nfrom tqdm.auto import tqdm': nb.run(c, patience)
        for name in names:
            _,codes,moment = scenes[name]
            done = [nb.run(c, patience) for c in codes[:-1]]
            c = nb.start(codes[-1])
            if moment: c.wait(lambda o: re.search(moment, o.text, re.S), patience, moment)
            else: c.done(patience)
            def shot():
                page = nb.page
                page.keyboard.press('Escape')
                page.mouse.move(5, 5) # a row under the pointer is colored
                (done+[c])[0].node.scroll_into_view_if_needed()
                page.wait_for_timeout(400) # fonts, and the last output
                if to: page.screenshot(path=str(to/f'{name}_{"dark" if dark else "light"}.png'), clip=cells_box(page, done+[c]))
            browser.call(shot)
            shown[name] = ' | '.join(masked(o.text) for o in done+[c])
            if moment: nb.interrupt()
            c.done(patience)
        assert not nb.errors, nb.errors
    return shown

def filmed(frames, to):
    "Write `frames`, pictures with the milliseconds that each stays, as one moving PNG"
    from PIL import Image
    shots,times = zip(*((Image.open(io.BytesIO(o)).convert('RGB'), ms) for o,ms in frames))
    strip = Image.new('RGB', (shots[0].width, sum(o.height for o in shots[::4])))
    for i,o in enumerate(shots[::4]): strip.paste(o, (0, i*o.height))
    colors = strip.quantize(255, dither=Image.Dither.NONE) # for all frames the same ones, or equal pixels would differ
    first,*rest = [o.quantize(palette=colors, dither=Image.Dither.NONE) for o in shots]
    first.save(to, save_all=True, append_images=rest, duration=list(times), loop=0, optimize=True)

def film(browser, jupyter, dark, to):
    "Run `acts`, and take a moving picture of them: waits are shortened, all else is as it ran. What it shows, as text"
    jupyter.dark(dark)
    frames = []
    with Page(browser, jupyter, jupyter.new(f'film_{"dark" if dark else "light"}.ipynb').name, size=(width+76, 650), scale=2) as nb:
        nb.ready(timeout=patience)
        nb.press('Control+B')
        def shot(ms, ring=False):
            if not to: return
            def f():
                button = nb.page.locator(stop).first
                button.evaluate("(o, on) => o.style.boxShadow = on ? '0 0 0 3px #e8590c' : ''", ring)
                nb.page.mouse.move(5, 5)
                nb.page.wait_for_timeout(150) # the last output
                frames.append((nb.page.screenshot(clip=nb.page.locator('.jp-NotebookPanel').bounding_box()), ms))
            browser.call(f)
        done = []
        for i,code in enumerate(acts):
            for k in range(1, 4): nb.write(code[:len(code)*k//3]); shot(100 if k<3 else 350)
            c = nb.start(code)
            done.append(c)
            if i==2:
                told = c.wait_text('has waited', patience).text
                shot(700)
                c.wait(lambda o: o.text!=told, patience, 'the seconds to be counted')
                shot(500)
                shot(400, ring=True)
                nb.interrupt()
            c.done(patience)
            nb[-1].wait(lambda o: browser.call(lambda: o.editor.count()), patience, 'the next cell')
            shot((700,800,1300,2000)[i])
        assert not nb.errors, nb.errors
        if to: filmed(frames, to/f'film_{"dark" if dark else "light"}.png')
        return ' | '.join(masked(o.text) for o in done)

def compare(to, shown):
    "Fail if what a run has `shown` is not what the pictures in `to` show"
    old = json.loads((to/'shown.json').read_text(encoding='utf-8'))
    stale = [k for k in [*scenes,'film'] if old.get(k)!=shown.get(k)]
    for k in stale: print(f'{k} shows\n  {old.get(k)}\nand today it would show\n  {shown.get(k)}')
    if stale: sys.exit('these pictures are out of date: `make pictures` takes them again')
    print(f'{len(scenes)+1} pictures show what a run shows')

def main(
    to:str='nbs/images', # Folder of the pictures
    check:bool=False, # Take none: fail if what a run shows is not what the saved ones show
):
    "Take the pictures, or check them"
    to = Path(to)
    with Jupyter(timeout=patience) as jp, Browser() as b:
        shown = take(b, jp, scenes, False, None if check else to)
        shown['film'] = film(b, jp, False, None if check else to)
        if not check:
            take(b, jp, scenes, True, to)
            film(b, jp, True, to)
    if not check:
        (to/'shown.json').write_text(json.dumps(shown, indent=1, ensure_ascii=False)+'\n', encoding='utf-8')
        return print(f'{2*len(scenes)+2} pictures in {to}, {sum(f.stat().st_size for f in to.glob("*.png"))/1e3:.0f} kB')
    compare(to, shown)

if __name__=='__main__': call_parse(main)
