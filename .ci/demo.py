"Run a page in a real kernel, say on the terminal how far it is, and show it as an HTML page. `make demo` runs it."
import os,re,sys,time,webbrowser
from pathlib import Path
from docs import page_html
from fastcore.nbio import nb_frontmatter
from fastcore.script import call_parse
from nbdistributed.testing.kernel import strip_ansi
from nbdistributed.testing.pages import run_in_kernel

def hidden(c): return re.match(r'#\| *hide\b', c.source) # as the site does

class Show:
    "Says on a terminal how far a page is: its headings, the first line of each cell, and errors that stop it"
    def __init__(self, out=None): self.out = out or sys.stdout
    def put(self, s): print(s, file=self.out, flush=True)
    def cell(self, c):
        if hidden(c): return
        src = re.sub(r'\A(#\|.*\n)+', '', c.source.strip())
        if c.cell_type=='markdown':
            for o in re.findall(r'^#+ (.*)$', src, re.M): self.put(f'\n{o}')
        elif c.cell_type=='code' and src and 'skip-execution' not in c.metadata.get('tags', []):
            first,*more = src.splitlines()
            self.put(f"  {first[:90]}{' …'*bool(more)}")

def has_screen()->bool:
    "Is somebody there to see a browser's window?"
    if not sys.stdout.isatty() or os.environ.get('SSH_CONNECTION') or os.environ.get('CI'): return False
    return sys.platform=='darwin' or bool(os.environ.get('DISPLAY') or os.environ.get('WAYLAND_DISPLAY'))

def demo(
    fn:str='nbs/start/02_first_group.ipynb', # The page
    dest:str='_demo', # Where the HTML page goes
):
    "Run a page in a real kernel, say how far it is, write it as an HTML page, and open that where there is a screen"
    from nbclient.exceptions import CellExecutionError
    fn,show,t = Path(fn),Show(),time.monotonic()
    if not fn.exists(): sys.exit(f"there is no page {fn}: name one with `make demo NB=nbs/….ipynb`")
    try: nb = run_in_kernel(fn, on_cell=show.cell)
    except CellExecutionError as e: sys.exit(f'\n{fn} stopped at the cell above: {e.ename}: {strip_ansi(e.evalue)}')
    fm,nb.cells = nb_frontmatter(nb),[c for c in nb.cells if not hidden(c)]
    for c in [c for c in nb.cells if c.cell_type=='markdown'][:1]: c.source = re.sub(r'\A\s*# .*\n*(> .*\n*)?', '', c.source) # the title is in the front matter
    text,to = page_html(nb, fm.get('title', fn.stem), fm.get('description', '')),Path(dest)/fn.with_suffix('.html').name
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(text, encoding='utf-8')
    print(f'\n{sum(c.cell_type=="code" for c in nb.cells)} cells in {time.monotonic()-t:.0f} s. The page with their output:\n{to.absolute().as_uri()}')
    if has_screen(): webbrowser.open(to.absolute().as_uri())

if __name__=='__main__': call_parse(demo)
