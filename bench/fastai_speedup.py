"""How much faster are the lessons of nbs/tutorials/fastai on several ranks? A table in Markdown.

    python bench/fastai_speedup.py                    # this machine; two CPU ranks
    python bench/fastai_speedup.py --ranks 4 --gpus all   # a machine with GPUs

Every lesson trains on the same data for the same number of epochs, with the same global batch, four times: in a Python process of its own, on one rank, on all ranks, and on all ranks with their
shares of the data but without a word between them. The last says what communication costs: the share of the time by which training together is longer. A first training, not measured, warms up.
"""
import argparse,json,os,subprocess,sys,tempfile
from pathlib import Path
from nbdistributed import Group

lessons = Path(__file__).parent.parent/'nbs'/'tutorials'/'fastai'
def code(fn):
    "The cells of a lesson that define `make` and `train`"
    cells = [''.join(o['source']) for o in json.loads(fn.read_text())['cells'] if o['cell_type']=='code']
    res = []
    for c in cells:
        if c.startswith('%'): continue
        res.append('\n'.join(l for l in c.splitlines() if not l.startswith(('learn = make','history = train'))))
        if 'def train(learn)' in c: break
    return '\n'.join(res)

timed = '''
import os,time,warnings
from contextlib import nullcontext
warnings.filterwarnings('ignore')
def seconds(code, how, n):
    "Of one training, the better of two"
    from nbdistributed.learner import as_one,solo
    ns = dict(__name__='__main__')
    exec(code, ns)
    def once():
        learn = ns['make']()
        if how=='one': as_one(learn.dls, n)
        if how=='apart': learn.dls.loaders = [ns['DistributedDL'](dl, int(os.environ['RANK']), n) for dl in learn.dls.loaders]
        with learn.no_bar(), learn.no_logging(), (nullcontext() if how=='together' else solo()):
            t = time.perf_counter()
            ns['train'](learn)
            return time.perf_counter()-t
    once()
    return min(once(), once())
'''
def process(codes, n):
    "Seconds of each lesson in a process without ranks"
    with tempfile.NamedTemporaryFile('w+') as f:
        text = timed+f"import json\nres = [seconds(o, 'one', {n}) for o in {codes!r}]\njson.dump(res, open({f.name!r}, 'w'))"
        env = {k:v for k,v in os.environ.items() if k not in ('RANK','WORLD_SIZE')}
        subprocess.run([sys.executable, '-c', text], check=True, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.load(f)

def on_ranks(codes, n, hows, **kw):
    "For each of `hows`, seconds of each lesson; of the slowest rank"
    with tempfile.TemporaryDirectory() as d, Group(n, apps=['fastai'], **kw) as g:
        g.run(timed, silent=True)
        for how in hows:
            g.run(f"import json\nres = [seconds(o, {how!r}, {n}) for o in {codes!r}]\njson.dump(res, open({d!r}+f'/{how}-{{rank}}', 'w'))", silent=True)
        return [[max(o) for o in zip(*(json.loads((Path(d)/f'{how}-{r}').read_text()) for r in range(n)))] for how in hows]

def one_rank(codes, n, kw):
    "One rank, with the global batch of `n`"
    with tempfile.TemporaryDirectory() as d, Group(1, apps=['fastai'], **kw) as g:
        g.run(timed, silent=True)
        g.run(f"import json\njson.dump([seconds(o, 'one', {n}) for o in {codes!r}], open({d!r}+'/r', 'w'))", silent=True)
        return json.loads((Path(d)/'r').read_text())

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--ranks', type=int, default=2)
    p.add_argument('--gpus', help='GPU numbers as in %%dist_init -g; without it, CPU ranks')
    p.add_argument('--only', help='lessons whose name has this in it')
    a = p.parse_args()
    fns = [f for f in sorted(lessons.glob('0*.ipynb')) if 'def train(learn)' in f.read_text() and (not a.only or a.only in f.name)]
    codes,kw = [code(f) for f in fns],dict(gpu_ids=a.gpus) if a.gpus else dict(device='cpu')
    alone = process(codes, a.ranks)
    one = one_rank(codes, a.ranks, kw)
    many,apart = on_ranks(codes, a.ranks, ['together','apart'], **kw)
    print(f"| lesson | 1 process, s | 1 rank, s | {a.ranks} ranks, s | speed-up | ideal | communication |\n|---|---|---|---|---|---|---|")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()
    for f,p1,r1,rn,ap in zip(fns, alone, one, many, apart):
        print(f"| {f.stem} | {p1:.2f} | {r1:.2f} | {rn:.2f} | {p1/rn:.2f} | {a.ranks} | {max(0, 1-ap/rn):.0%} |")
    print(f"\n{'GPUs '+a.gpus if a.gpus else f'{cores} cores, shared by the ranks'}; the ideal is that of {a.ranks} devices which the single process doesn't use.")

if __name__=='__main__': main()
