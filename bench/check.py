"""What it costs to compare collectives before they start

The same group, by turns with and without the comparison (`nbdistributed.rank.check`): wall time and CPU time of the main thread for an `all_reduce` of 8 floats, the smallest collective there is; and the DDP loop of `ddp.py`, whose collectives
are started in C++ and aren't compared. CPU time is what the calls themselves use; the wall time of a small collective on a busy machine is mostly the other rank's.
"""
from common import *
from ddp import model

calls = """
import nbdistributed.rank.check as check
kept = check._checks
def calls(on, n=1000):
    check._checks = kept if on else None # at the same place of the program on all ranks, so their counts stay equal
    x = torch.ones(8)
    dist.barrier()
    t,c = time.perf_counter(),time.thread_time()
    for _ in range(n): dist.all_reduce(x)
    return (time.perf_counter()-t)/n,(time.thread_time()-c)/n
def steps(on):
    check._checks = kept if on else None
    c = time.process_time()
    timed(False)
    return time.process_time()-c
"""

def everywhere(k, what):
    "`what`, evaluated on all ranks"
    r = k.cell(f'got = [None]*dist.get_world_size()\ndist.all_gather_object(got, {what})\nif rank==0: print("took", got)')
    return [eval(l.split(' ',1)[1]) for l in r.text.splitlines() if l.startswith('took')][0]

def measure(ns, runs, wait, pairs=5):
    wall,cpu,ddp = ({on:[] for on in (True,False)} for _ in range(3))
    n = ns[0]
    each = max(1, len(os.sched_getaffinity(0))//n)
    for run in range(runs):
        with group(n, f'--threads {each}') as k:
            k.cell(model+calls)
            for what in ('calls','steps'): [everywhere(k, f'{what}({on})') for on in (True,False)]
            for i in range(pairs):
                if wait: settle(wait)
                for on in (True,False) if i%2 else (False,True):
                    got = everywhere(k, f'calls({on})')
                    wall[on].append(max(w for w,_ in got)); cpu[on].append(statistics.mean(c for _,c in got))
                    ddp[on].append(statistics.mean(everywhere(k, f'steps({on})')))
                print(f'    {len(cpu[True])}: all_reduce {wall[True][-1]*1e6:.0f} µs, without {wall[False][-1]*1e6:.0f}; its CPU {cpu[True][-1]*1e6:.1f} µs, without {cpu[False][-1]*1e6:.1f}; DDP {ddp[True][-1]/ddp[False][-1]:.3f} ×', file=sys.stderr, flush=True)
    yield Row(f'`all_reduce` of 8 floats on {n} ranks, compared first; floor: not compared', wall[True], wall[False], unit='us')
    yield Row('… CPU time of the calling thread', cpu[True], cpu[False], unit='us')
    yield Row(f'DDP, 100 steps on {n} ranks, CPU time of the rank; floor: not compared', ddp[True], ddp[False], ratio=1.02)

if __name__=='__main__': main(__doc__, measure, 3, (2,))
