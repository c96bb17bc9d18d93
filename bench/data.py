"""Data in and out: how long 256 MB take, and what they cost in memory

An array of 256 MB from the notebook to one rank and to four, and back, beside a copy of the same array into memory that has been used before: the least that any way between processes can take. The *first*
transfer of a kernel also has to get new memory from the system, on both sides; a copy into new memory is shown for comparison, and so are `dist.broadcast` among the ranks, and ipyparallel's push and pull if it is
installed. Then the checksums of a gigabyte, and the table of a thousand variables on eight ranks.
"""
import re
from importlib.util import find_spec
from common import *

size = 256<<20
start = f'''%%local
import time,numpy as np
from nbdistributed.kernel.group.group import current
g = current()
a = np.random.rand({size//8})
warm = np.empty_like(a); warm[:] = a
def timed(f, n=1):
    ts = []
    for _ in range(n):
        t = time.perf_counter(); f(); ts.append(time.perf_counter()-t)
    return sorted(ts)[n//2]
def hwm(pid, name='VmHWM'): return 1024*int(next(l for l in open(f'/proc/{{pid}}/status') if l.startswith(name)).split()[1])
def extra(pids, f):
    "Bytes that the processes had at most during `f`, beyond what they have before and after"
    before = [hwm(p, 'VmRSS') for p in pids]
    for p in pids: open(f'/proc/{{p}}/clear_refs', 'w').write('5')
    f()
    return max(hwm(p)-max(b, hwm(p, 'VmRSS')) for p,b in zip(pids, before))'''

figures = dict(
    memcpy='timed(lambda: np.copyto(warm, a), 5)', fresh='timed(lambda: a.copy())',
    push_first="timed(lambda: g.push(x=a, ranks=0))", push="timed(lambda: g.push(x=a, ranks=0), 5)",
    push4_first="timed(lambda: g.push(x=a))", push4="timed(lambda: g.push(x=a), 5)",
    pull_first="timed(lambda: g.pull('x'))", pull="timed(lambda: g.pull('x'), 5)", pull4="timed(lambda: g.pull('x', ranks='all'), 3)",
    push_extra="extra([g.members[0].pid], lambda: g.push(y=a, ranks=0))", pull_extra="extra([__import__('os').getpid()], lambda: globals().__setitem__('back', g.pull('x')))",
    broadcast="timed(lambda: g.run('dist.broadcast(torch.from_numpy(x), 0)', silent=True), 3)")

def one_run(wait):
    settle(wait)
    res = {}
    with group(4, '--device cpu') as k:
        k.cell(start)
        for name,code in figures.items(): res[name] = float(re.search(r'[\d.e-]+$', k.cell(f'%%local\n{code}').result)[0]) # a slow one has shown its progress
    return res

_ipp = f'''import time,numpy as np,ipyparallel as ipp
a = np.random.rand({size//8})
warm = np.empty_like(a); warm[:] = a
rc = ipp.Cluster(n=4, log_level=40).start_and_connect_sync(activate=False)
def timed(f, n=3):
    ts = []
    for _ in range(n):
        t = time.perf_counter(); f(); ts.append(time.perf_counter()-t)
    return sorted(ts)[n//2]
memcpy = timed(lambda: np.copyto(warm, a), 5)
one,four = rc[0],rc[:]
res = (memcpy, timed(lambda: one.push(dict(x=a), block=True)), timed(lambda: four.push(dict(x=a), block=True)), timed(lambda: one.pull('x', block=True)))
rc.shutdown(hub=True)
print(*res)'''
def ipyparallel_run(wait):
    settle(wait)
    out = subprocess.run([sys.executable,'-c',_ipp], env=clean_env(), capture_output=True, text=True, timeout=300)
    if out.returncode: raise RuntimeError(out.stderr[-2000:])
    return dict(zip(('memcpy','push','push4','pull'), map(float, out.stdout.split('\n')[-2].split())))

def tables(wait):
    settle(wait)
    with group(8, '--device cpu') as k:
        k.cell("for i in range(1000): globals()[f'v{i}'] = torch.ones(4)*i if i%2 else i")
        k.cell("if rank==0: big = torch.ones(250_000_000)")
        k.cell("%%local\nimport time\nfrom nbdistributed.kernel.group.group import current\ng = current()\ndef timed(f):\n    t = time.perf_counter(); f(); return time.perf_counter()-t\ng.vars('v1')")
        return dict(vars=float(k.cell("%%local\ntimed(lambda: g.vars('v*'))").result), checksum=sorted(float(k.cell("%%local\ntimed(lambda: g.vars('big', ranks=0))").result) for _ in range(3))[1])

def measure(ns, runs, wait):
    rs,ts = [],[]
    for i in range(runs):
        rs.append(one_run(wait)); ts.append(tables(wait))
        print(f'    {i+1}/{runs}: '+', '.join(f'{k} {show(v)}' for k,v in {**rs[-1], **ts[-1]}.items()), file=sys.stderr, flush=True)
    of = lambda k, rs=rs: [r[k] for r in rs]
    floor = of('memcpy')
    yield Row('copy into new memory; floor: into warm memory', of('fresh'), floor, unit='ms')
    yield Row('first push to one rank; floor: memcpy', of('push_first'), floor, unit='ms', ratio=1/.06)
    yield Row('later pushes to one rank; floor: memcpy', of('push'), floor, unit='ms', ratio=1/.2)
    yield Row('first push to four ranks; floor: memcpy', of('push4_first'), floor, unit='ms')
    yield Row('later pushes to four ranks; floor: to one', of('push4'), of('push'), unit='ms', ratio=2.5)
    yield Row('first pull from one rank; floor: memcpy', of('pull_first'), floor, unit='ms', ratio=1/.06)
    yield Row('later pulls from one rank; floor: memcpy', of('pull'), floor, unit='ms', ratio=1/.2)
    yield Row('pulls from four ranks; floor: from one', of('pull4'), of('pull'), unit='ms', ratio=2.5)
    yield Row('memory of a rank beside the array, during a push', of('push_extra'), unit='MB', most=size)
    yield Row('memory of the notebook beside the array, during a pull', of('pull_extra'), unit='MB', most=size)
    yield Row('dist.broadcast of the array to four ranks; floor: push to four', of('broadcast'), of('push4'), unit='ms')
    yield Row('table of 1000 variables on 8 ranks', of('vars', ts), unit='ms', most=.5)
    yield Row('checksum of a tensor of 1 GB', of('checksum', ts), unit='ms', most=1.)
    if not find_spec('ipyparallel'): return
    ps = [ipyparallel_run(wait) for _ in range(runs)]
    for k,t in dict(push='ipyparallel, push to one engine', push4='ipyparallel, push to four engines', pull='ipyparallel, pull from one engine').items(): yield Row(f'{t}; floor: memcpy', of(k, ps), of('memcpy', ps), unit='ms')

if __name__=='__main__': main(__doc__, measure, 3, n=(4,))
