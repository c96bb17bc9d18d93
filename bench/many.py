"""What a cell costs on many ranks of one machine

`%dist_init`'s group of `--n` real ranks (64): until it is up, and then an empty cell, a barrier, `status`, `where`, and a cell in which rank 3 fails while all others wait for it in a barrier, until the error is here and the groups are formed again.
The floor of the failing cell is a cell in which every rank fails by itself: as many errors are told there, and nobody has to be freed.
"""
import argparse,os,statistics,sys,time
from pathlib import Path
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from nbdistributed import Group

fails = {'one fails, the others wait':"if rank==3%world_size: raise ValueError('no')\ndist.barrier()", 'all fail':"raise ValueError('no')"}

def seconds(f):
    "How long `f` takes, whatever it raises"
    t = time.perf_counter()
    try: f()
    except Exception as e: assert 'no' in str(e), e
    return time.perf_counter()-t

def measure(n:int, runs:int)->dict: # what was done, to seconds of each run
    "By turns, on one group of `n` ranks"
    t = time.perf_counter()
    with Group(n, say=lambda s: None) as g:
        res = {'up':[time.perf_counter()-t]}
        def run(code): return lambda: g.run(code, publish=lambda *_: None)
        run('import torch.distributed as dist')(); seconds(run(fails['all fail'])) # the first error loads what the later ones have
        cells = dict(cell=run('x = rank'), barrier=run('dist.barrier()'), status=g.status, where=g.where, **{k:run(v) for k,v in fails.items()})
        for _ in range(runs):
            for k,f in cells.items(): res.setdefault(k, []).append(seconds(f))
    return res

if __name__=='__main__':
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--n', type=int, nargs='+', default=[64]); p.add_argument('--runs', type=int, default=5)
    a = p.parse_args()
    for n in a.n:
        res = measure(n, a.runs)
        print(f'{n} ranks, load {os.getloadavg()[0]:.1f}')
        for k,v in res.items(): print(f'  {k:28} {statistics.median(v):7.3f} s  ({min(v):.3f} to {max(v):.3f})')
        ratio = statistics.median(x/y for x,y in zip(res['one fails, the others wait'], res['all fail']))
        print(f'  one fails : all fail         {ratio:7.2f} ×', flush=True)
