"What someone new does in the first ten minutes, with what the pages show and nothing else, as a table with times. `make newcomer` runs it."
import datetime,os,re,subprocess,sys,tempfile,time
from pathlib import Path
from fastcore.script import call_parse
from nbformat import read
from nbdistributed.testbed.browser import Browser,Jupyter,Page

start,end = '<!-- newcomer: made by `make newcomer` -->','<!-- end of newcomer -->'

def cells_of(page, *firsts):
    "Code cells of a page for readers, each by how it begins"
    cells = [re.sub(r'\A(#\|.*\n)+', '', c.source) for c in read(page, 4).cells if c.cell_type=='code']
    return [next(c for c in cells if c.startswith(o)) for o in firsts]

class Walk:
    "Steps, and how long each took"
    def __init__(self): self.rows,self.t = [],time.monotonic()
    def did(self, reads, does, sees):
        "A step is over"
        now = time.monotonic()
        self.rows.append((reads, does, sees, now-self.t))
        print(f'{now-self.t:6.1f} s  {does}: {sees}', flush=True)
        self.t = time.monotonic()
    def table(self, note):
        "The steps as Markdown"
        def cell(o): return ' '.join(o.split()).replace('|', '\\|') # a tab or a line break would end the row
        rows = [f'| {i} | {cell(a)} | {cell(b)} | {cell(c)} | {t:.0f} |' for i,(a,b,c,t) in enumerate(self.rows, 1)]
        total = sum(r[-1] for r in self.rows)
        return '\n'.join([start, note, '', '| | reads | does | sees | seconds |', '|--:|:--|:--|:--|--:|', *rows, f'| | | | in all | {total:.0f} |', end])

def install(w, root, d):
    "As README says: a checkout, an environment, `pip install`; its interpreter"
    subprocess.run(['git','clone','-q',root,d/'nbdistributed'], check=True)
    w.did('README', '`git clone`', 'a checkout')
    line, = re.findall(r'^pip install \. .*$', (d/'nbdistributed/README.md').read_text(), re.M)
    subprocess.run([sys.executable,'-m','venv',d/'env'], check=True)
    subprocess.run([d/'env/bin/python','-m',*line.split(),'-q'], cwd=d/'nbdistributed', check=True)
    w.did('README, *Install*', f'a new environment, `{line}`', subprocess.run([d/'env/bin/pip','list'], capture_output=True, text=True).stdout.split('torch ')[1].split()[0].join(['torch ','']))
    return d/'env/bin/python'

def notebook(w, nb, page):
    "The cells of *The first five minutes*, copied: a first group, an error, a hang and the stop button"
    load,hello,reduce,weights,fails,hang,again = cells_of(page, '%load_ext', "f'I am", 'x = torch.ones', 'weights = ', 'weights[1]', '%%distributed --timeout', 'dist.all_reduce(x)\nx,')
    nb.run(load, 180)
    w.did('*The first five minutes*, *Start*', 'copies the first cell', nb[-2].text.strip().splitlines()[0])
    nb.run(hello)
    w.did('', 'copies the second', ' / '.join(nb[-2].text.strip().splitlines()))
    nb.run(reduce)
    w.did('*Call a collective*', 'copies the cell', 'one sum, under `ranks 0-1`' if 'ranks 0-1' in nb[-2].text else nb[-2].text)
    nb.run(weights); c = nb.run(fails)
    assert 'IndexError' in c.text and 'rank 1' in c.text, c.text
    w.did('*Read an error*', 'copies the two cells', '`'+next(l for l in c.text.splitlines() if l.startswith('IndexError:'))+'`, under `rank 1`, with the line')
    c = nb.start(hang.partition('\n')[2]) # without its limit: the stop button is pressed
    c.wait_text('has waited', 60); told = next(l for l in c.text.splitlines() if 'has waited' in l)
    w.did('*Stop a hang*', 'copies the cell without its first line, and waits', f'“{told.strip()}”')
    nb.interrupt(); c.done()
    w.did('', 'presses the stop button', 'the cell ends' if 'KeyboardInterrupt' in c.text else c.text)
    nb.run('x.shape, '+again.splitlines()[0]) # is the variable still there, and does a collective work?
    assert 'Error' not in nb[-2].text, nb[-2].text
    w.did('', 'uses `x` in a collective again', 'it is still there')

def search(w, b, site, word='--pg-timeout'):
    "Type a word into the site's search, and follow the first hit"
    def go():
        p = b.chromium.new_page()
        try:
            p.goto((site/'index.html').absolute().as_uri())
            p.fill('#search', word)
            p.wait_for_selector('#hits a')
            hit = p.locator('#hits a').first
            name = hit.inner_text()
            hit.click(); p.wait_for_load_state()
            at = p.evaluate("document.querySelector(decodeURIComponent(location.hash) || 'main').parentElement.innerText")
            assert word in at, (name, p.url)
            return name, next(l.strip() for l in p.inner_text('main').splitlines() if word in l)
        finally: p.close()
    name,line = b.call(go)
    w.did('the site', f'types `{word}` into its search, and follows the first hit', f'*{name}*: “{line[:110]}”')

def newcomer(
    site:str='_site', # What `make docs` has written
    to:str='CONTRIBUTING.md', # Where the table is, between two marks
):
    "Walk, and write the table"
    root = Path(__file__).parents[1].absolute()
    w = Walk()
    with tempfile.TemporaryDirectory(prefix='nbd-newcomer-') as d, Browser() as b:
        w.t = time.monotonic()
        py = install(w, root, Path(d))
        with Jupyter(python=py, env=dict(PYTHONPATH=None, VIRTUAL_ENV=None)) as jp:
            with Page(b, jp, jp.new('first.ipynb').name) as nb:
                nb.ready()
                w.did('README', '`jupyter lab`, a new notebook', 'an empty cell')
                notebook(w, nb, Path(d)/'nbdistributed/nbs/start/02_first_group.ipynb')
                assert not nb.errors, nb.errors
        search(w, b, Path(site))
    note = f"On {datetime.date.today():%d %B %Y}, {os.cpu_count()} cores, by a script that copies cells, so reading and typing are not counted; a package that pip has in its cache is not downloaded again."
    old = (root/to).read_text(encoding='utf-8')
    (root/to).write_text(re.sub(f'{re.escape(start)}.*?{re.escape(end)}', lambda m: w.table(note), old, flags=re.S), encoding='utf-8')
    print(f'{sum(r[-1] for r in w.rows):.0f} s in all; the table is in {to}')

if __name__=='__main__': call_parse(newcomer)
