"""How long until ranks answer

From nothing to the first `all_reduce`, against a kernel in which torch was imported; `%dist_init` by itself, when the extension was loaded two seconds before, and again after a
`%dist_shutdown`; eight ranks against one.
"""
import time
from common import *

reduce_cell = 't = torch.ones(1); dist.all_reduce(t); assert t.item()==world_size'

def cold(n):
    "Kernel start to the first all_reduce of `n` ranks"
    with Kernel() as k:
        for c in '%load_ext nbdistributed',f'%dist_init -n {n}',reduce_cell: k.cell(c, output=False)
        return time.perf_counter()-k.since

def floor():
    "Kernel start to `import torch`"
    with Kernel() as k:
        k.cell('import torch', output=False)
        return time.perf_counter()-k.since

def warm(n, wait):
    "`%dist_init -n` two seconds after `%load_ext`, and twice more after a `%dist_shutdown`"
    with Kernel() as k:
        k.cell('import os', output=False)
        settle(wait)
        k.cell('%load_ext nbdistributed', output=False)
        time.sleep(2)
        first = k.cell(f'%dist_init -n {n}', output=False).seconds
        k.cell(reduce_cell, output=False)
        res = [first]
        for _ in range(2):
            k.cell('%dist_shutdown', output=False)
            res.append(k.cell(f'%dist_init -n {n}', output=False).seconds)
        return res

def measure(ns, runs, wait):
    ns = sorted({1,*ns})
    r = interleave(runs, wait, floor=floor, **{f'n{n}':lambda n=n: cold(n) for n in ns})
    for n in ns: yield Row(f'kernel start to the first all_reduce, {n} rank{"s"*(n>1)}; floor: kernel start and `import torch`', r[f'n{n}'], r['floor'], ratio=1.3 if n==2 else None)
    if 8 in ns: yield Row('… 8 ranks; floor: 1 rank', r['n8'], r['n1'], ratio=1.4)
    r = interleave(runs, 0, **{f'n{n}':lambda n=n: warm(n, wait) for n in ns})
    for n in ns:
        yield Row(f'`%dist_init -n {n}`, 2 s after `%load_ext`', [o[0] for o in r[f'n{n}']], most=.3 if n==4 else None)
        yield Row(f'`%dist_init -n {n}` after `%dist_shutdown`', [t for o in r[f'n{n}'] for t in o[1:]], most=.3 if n==4 else None)

if __name__=='__main__': main(__doc__, measure, 5)
