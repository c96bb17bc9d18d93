"Run a page in a real kernel, show it on the terminal as it goes, and write it as an HTML page. `make demo` runs it."
import os,re,sys,time
from pathlib import Path
from docs import page_html
from fastcore.nbio import nb_frontmatter
from fastcore.script import call_parse
from nbdistributed.testing.kernel import strip_ansi
from nbdistributed.testing.pages import run_in_kernel

class Show:
    "Prints a running page on a terminal"
    def __init__(self, color=None, out=None):
        self.out = out or sys.stdout
        self.color = self.out.isatty() and 'NO_COLOR' not in os.environ if color is None else color
        self.fresh = False # has the running cell said nothing yet?
    def put(self, s): print(s if self.color else strip_ansi(s), end='', file=self.out, flush=True)
    def rule(self, s): self.put(f'\n\x1b[34m── {s} {"─"*max(0, 96-len(s))}\x1b[0m\n')
    def cell(self, c):
        src = c.source.strip()
        if not src or c.cell_type=='raw': return
        if c.cell_type=='markdown': return self.put('\n'+re.sub(r'^(#+ .*)$', '\x1b[1m\\1\x1b[0m', re.sub(r'\A(#\|.*\n)+', '', src), flags=re.M)+'\n')
        if 'skip-execution' in c.metadata.get('tags', []): return
        self.rule('In')
        from pygments import highlight
        from pygments.formatters import TerminalFormatter
        from pygments.lexers import PythonLexer
        self.put(highlight(src, PythonLexer(), TerminalFormatter()))
        self.fresh = True
    def message(self, msg):
        c = msg['content']
        if self.fresh and ('data' in c or msg['msg_type'] in ('stream','error')): self.rule('Out'); self.fresh = False
        if msg['msg_type']=='stream': self.put(c['text'])
        elif msg['msg_type']=='error': self.put('\n'.join(c['traceback'])+'\n')
        elif 'data' in c: self.put(c['data'].get('text/plain', f"({', '.join(c['data'])})")+'\n')

def demo(
    fn:str='nbs/course/01_nbdistributed.ipynb', # The page
    dest:str='_demo', # Where the HTML page goes
):
    "Run a page in a real kernel, show it on the terminal as it goes, and write it as an HTML page"
    from nbclient.exceptions import CellExecutionError
    fn,show,t = Path(fn),Show(),time.monotonic()
    if not fn.exists(): sys.exit(f"there is no page {fn}: name one with `make demo NB=nbs/….ipynb`")
    try: nb = run_in_kernel(fn, on_cell=show.cell, on_message=show.message)
    except CellExecutionError as e: sys.exit(f'\n{fn} stopped at the cell above: {e.ename}: {strip_ansi(e.evalue)}')
    fm = nb_frontmatter(nb)
    for c in [c for c in nb.cells if c.cell_type=='markdown'][:1]: c.source = re.sub(r'\A\s*# .*\n*(> .*\n*)?', '', c.source) # the title is in the front matter
    text,to = page_html(nb, fm.get('title', fn.stem), fm.get('description', '')),Path(dest)/fn.with_suffix('.html').name
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(text, encoding='utf-8')
    show.rule(f'{sum(c.cell_type=="code" for c in nb.cells)} cells in {time.monotonic()-t:.0f} s')
    print(f'The same as a page: {to.absolute()}')

if __name__=='__main__': call_parse(demo)
