"""What the processes take

Memory (PSS, so shared pages count once) of kernel, supervisor, fork server and ranks before any user code, against one plain kernel with torch imported; and what each further rank adds.
"""
from common import *

def plain():
    with group(0, plain=True) as k:
        k.cell('import torch')
        return pss(k.pid)

names = dict(kernel='kernel', supervisor='supervisor', server='fork server', ranks='ranks')
pids = "%%local\nfrom nbdistributed.kernel.group.group import current\n' '.join(str(m.pid) for m in current().members.values())"

def parts(n):
    "PSS by kind of process with `n` ranks, and what each rank has alone"
    with group(n) as k:
        ranks = {int(o) for o in k.cell(pids).result.strip("'").split()}
        assert len(ranks)==n
        res = dict(kernel=0, supervisor=0, server=0, ranks=0, sum=0, own=sum(map(own, ranks))/n)
        for pid,_ in processes(k.pid):
            kind = 'kernel' if pid==k.pid else 'ranks' if pid in ranks else 'supervisor' if parent(pid)==k.pid else 'server'
            res[kind] += pss(pid); res['sum'] += pss(pid)
        return res

def measure(ns, runs, wait):
    ns = sorted({2,*ns})
    r = interleave(runs, 0, floor=plain, **{f'n{n}':lambda n=n: parts(n) for n in ns})
    for n in ns: yield Row(f'memory with {n} ranks, in all; floor: a plain kernel with torch', [o['sum'] for o in r[f'n{n}']], r['floor'], unit='MB', ratio=1.4 if n==2 else None)
    for k in names: yield Row(f'… of that the {names[k]}, with 2 ranks', [o[k] for o in r['n2']], unit='MB')
    for n in ns: yield Row(f'each further rank, of {n}: pages that it has alone', [o['own'] for o in r[f'n{n}']], unit='MB', most=25e6)

if __name__=='__main__': main(__doc__, measure, 3)
