"Run the checks for GPUs, each page of them in a real kernel, and print their lines as they come. Numbers and names of pages choose some; `first`: all, in groups, for a machine that is tried for the first time. `make gpu` runs it."
import os,re,sys,tempfile,time
from pathlib import Path
from nbclient.exceptions import CellExecutionError
from nbdistributed.testbed.gpu import chosen,first
from nbdistributed.testing.kernel import strip_ansi
from nbdistributed.testing.pages import run_in_kernel

said = [] # what was printed

def show(msg):
    if msg['msg_type']!='stream': return
    said.append(msg['content']['text']); print(said[-1], end='', flush=True)

def run(page, checks, limit, folder):
    "The error of a page, as text; none: all went well"
    os.environ.update(CHECKS=' '.join(checks), LIMIT=str(limit), NBD_REPORT=folder)
    fn = Path(__file__).parents[1]/f'nbs/tests/{page}.ipynb'
    try: run_in_kernel(fn, timeout=24*3600, on_message=show)
    except CellExecutionError as e: return f'{e.ename}: {strip_ansi(e.evalue)}'
    except AssertionError as e: return f'{page}: {e}' # processes that were left

def report(folder):
    "One file with what the pages have said, and all that there is of failures; the last line"
    counts = re.compile(r'^(\d+) ok, (\d+) failed, (\d+) left out; written to .*$', re.M)
    text = ''.join(said)
    ok,failed,out = (sum(map(int, o)) for o in list(zip(*counts.findall(text))) or [()]*3)
    ls = counts.sub('', text).splitlines()
    ls = [l for i,l in enumerate(ls) if l and l not in ls[:i]] # each page begins with the machine
    more = [counts.split(f.read_text(encoding='utf-8'), 1)[-1] for f in sorted(Path(folder).glob('*/*.txt'))]
    name = Path(f"nbd-gpu-report-{time.strftime('%Y%m%d-%H%M%S')}.txt").absolute()
    last = f'{ok} ok, {failed} failed, {out} left out; written to {name}'
    name.write_text('\n'.join([*ls,last,*filter(str.strip, more)])+'\n', encoding='utf-8')
    return last

def main(args):
    limit,errs = os.environ.get('LIMIT', ''),[]
    groups = [(o.split(),limit or s) for o,s in first] if args==['first'] else [(args,limit)]
    try: todo = [(p,ns,s) for asked,s in groups for p,ns in chosen(asked).items()]
    except ValueError as e: return str(e)
    with tempfile.TemporaryDirectory() as d:
        try:
            for i,(p,ns,s) in enumerate(todo):
                os.mkdir(f'{d}/{i:02}')
                errs.append(run(p, ns, s, f'{d}/{i:02}'))
        finally: print(report(d), flush=True)
    return '\n'.join(filter(None, errs)) or None

if __name__=='__main__': sys.exit(main(sys.argv[1:]))
