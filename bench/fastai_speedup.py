"""How much faster are the lessons of nbs/tutorials/fastai on several ranks? A table in Markdown.

    python bench/fastai_speedup.py --save                 # this machine, two CPU ranks; the table goes into nbs/explanations/speed_up.ipynb
    python bench/fastai_speedup.py --save --gpus all      # a machine with GPUs: fills the page's second table

Every lesson trains on the same data for the same number of epochs with the same global batch, in four ways: in one Python process, as a user has it; on one rank; on all ranks; and on all ranks with their shares
of the data but without a word between them. The last says what communication costs: the part of the time by which training together is longer. The four take turns, so that a machine that is busy, or slow, slows all of
them down; the first training of each isn't measured; the figures are medians.

An ideal is stated beside each: with GPUs of their own, as many times faster as there are ranks. Ranks on the cores of one machine share them with each other, and the single process may use them all by itself:
then their ideal is the cores divided by those that the single process kept busy.
"""
import argparse,contextlib,io,json,os,signal,statistics,subprocess,sys,time
from pathlib import Path
from common import ROOT,clean_env,ended,machine

lessons,page = ROOT/'nbs'/'tutorials'/'fastai',ROOT/'nbs'/'explanations'/'speed_up.ipynb'
cores = len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()

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
def seconds(ns, how, n):
    "Wall and CPU seconds of one training, `how`: one process with the batches of all, together, or apart"
    from nbdistributed.libs.fastai import as_one,solo
    learn = ns['make']()
    if how=='one': as_one(learn.dls, n)
    if how=='apart': learn.dls.loaders = [ns['DistributedDL'](dl, int(os.environ['RANK']), n) for dl in learn.dls.loaders]
    with learn.no_bar(), learn.no_logging(), (nullcontext() if how=='together' else solo()):
        t,c = time.perf_counter(),time.process_time()
        ns['train'](learn)
        return time.perf_counter()-t,time.process_time()-c
def define(code):
    ns = dict(__name__='__main__')
    exec(code, ns)
    return ns
'''

# One of the three that take turns, in a process of its own: it gets `lesson how` by line, and answers with two numbers
def serve(kind, n, kw):
    codes = {f.stem:code(f) for f in chosen('')}
    if kind=='process':
        ns,done = {},{}
        exec(timed, ns)
        def measure(lesson, how):
            if lesson not in done: done[lesson] = ns['define'](codes[lesson])
            return ns['seconds'](done[lesson], how, n)
        answer(measure)
        return
    from nbdistributed import Group
    import nbdistributed.kernel.parts.variables # brings `pull`
    with Group(1 if kind=='rank' else n, apps=['fastai'], say=lambda s: None, **kw) as g:
        g.run(timed+'_done = {}', silent=True)
        def measure(lesson, how):
            g.run(f"if {lesson!r} not in _done: _done[{lesson!r}] = define({codes[lesson]!r})\n_res = seconds(_done[{lesson!r}], {how!r}, {n})", silent=True)
            return [max(o) for o in zip(*g.pull('_res', ranks='all'))] # the slowest rank
        answer(measure)

def answer(measure):
    out = os.dup(1)
    os.dup2(2, 1) # what libraries print isn't an answer
    for line in sys.stdin: os.write(out, (json.dumps(measure(*line.split()))+'\n').encode())

class Server:
    "A process that measures when asked"
    def __init__(self, kind, args):
        cmd = [sys.executable, __file__, '--serve', kind, '--ranks', str(args.ranks), *(['--gpus', args.gpus] if args.gpus else [])]
        self.p = subprocess.Popen(cmd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if not args.debug else None, text=True, env=clean_env())
    def ask(self, lesson, how):
        self.p.stdin.write(f'{lesson} {how}\n')
        self.p.stdin.flush()
        if not (line := self.p.stdout.readline()): raise RuntimeError(f'{self.p.args[3]} ended with exit code {self.p.wait(10)}; --debug shows what it said')
        return json.loads(line)
    def close(self):
        self.p.stdin.close()
        try: self.p.wait(20)
        except subprocess.TimeoutExpired: self.p.kill()

ways = dict(alone=('process','one'), rank=('rank','one'), together=('ranks','together'), apart=('ranks','apart'))
def chosen(only): return [f for f in sorted(lessons.glob('0*.ipynb')) if 'def train(learn)' in f.read_text() and only in f.name]

def measure(args):
    "For each lesson and way, `runs` pairs of seconds and CPU seconds"
    servers = {k:Server(k, args) for k in ('process','rank','ranks')}
    try:
        res = {}
        for f in chosen(args.only):
            runs = res[f.stem] = {w:[] for w in ways}
            for i in range(args.runs+1): # the first warms up
                for w,(kind,how) in ways.items():
                    t = servers[kind].ask(f.stem, how)
                    if i: runs[w].append(t)
            print(row(f.stem, runs, args), file=sys.stderr, flush=True)
        return res
    finally:
        for s in servers.values(): s.close()

def row(name, runs, args):
    alone,rank,together,apart = (statistics.median(t for t,_ in runs[w]) for w in ways)
    busy = statistics.median(c/t for t,c in runs['alone'])
    ideal = args.ranks if args.gpus else max(1, min(args.ranks, cores/busy))
    return f'| {name} | {alone:.2f} | {rank:.2f} | {together:.2f} | {alone/together:.2f} | {ideal:.1f} | {max(0, 1-apart/together):.0%} |'

def table(res, args):
    head = f'| lesson | 1 process, s | 1 rank, s | {args.ranks} ranks, s | speed-up | ideal | communication |\n|:---|---:|---:|---:|---:|---:|---:|'
    where = f'GPUs {args.gpus}' if args.gpus else f'CPU ranks that share {cores} cores'
    return '\n'.join([head, *(row(k, v, args) for k,v in res.items()), f"\n{time.strftime('%Y-%m-%d')}, {where}: {machine()}. Medians of {args.runs} trainings, by turns."])

def save(text, kind):
    "Put `text` in the place of the page's last results of this kind"
    nb = json.loads(page.read_text())
    begin,end = f'<!-- {kind} results -->',f'<!-- end of {kind} results -->'
    for c in nb['cells']:
        a,found,rest = ''.join(c['source']).partition(begin)
        if found: c['source'] = f'{a}{begin}\n{text}\n{end}{rest.partition(end)[2]}'.splitlines(True)
    page.write_text(json.dumps(nb, indent=1, ensure_ascii=False, sort_keys=True)+'\n')

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--ranks', type=int, help='default: 2, or the number of GPUs')
    p.add_argument('--gpus', help='GPU numbers as in %%dist_init -g; without it, CPU ranks')
    p.add_argument('--only', default='', help='lessons whose name has this in it')
    p.add_argument('--runs', type=int, default=3)
    p.add_argument('--save', action='store_true', help='put the table into the page')
    p.add_argument('--debug', action='store_true', help='show what the processes say')
    p.add_argument('--serve', help=argparse.SUPPRESS)
    args = p.parse_args()
    if args.ranks is None:
        import torch
        args.ranks = 2 if not args.gpus else torch.cuda.device_count() if args.gpus=='all' else len(args.gpus.split(','))
    if args.serve: return serve(args.serve, args.ranks, dict(gpu_ids=args.gpus.split(',')[0] if args.serve=='rank' and args.gpus!='all' else '0' if args.serve=='rank' else args.gpus) if args.gpus else dict(device='cpu'))
    signal.signal(signal.SIGTERM, ended)
    text = table(measure(args), args)
    print(text)
    if args.save: save(text, 'GPU' if args.gpus else 'CPU')

if __name__=='__main__': main()
