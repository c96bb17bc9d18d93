"""What it costs to look at a cell

A DDP loop of 1000 steps, by turns plain, under `%%dist_top` and under `%%dist_profile`, and one of 20 steps under `%%dist_first_diff`. The loop is timed on rank 0, by the same lines in all of them: what is done before and after it, such as the picture, isn't counted,
and for the profile what switching takes is.
"""
from common import *
from ddp import model

def loop(k, n, how=''):
    "Seconds of `n` steps"
    r = k.cell(f'{how}\nt = time.perf_counter(); loop(False, {n}); t = time.perf_counter()-t\ndist.barrier()')
    return float(k.cell('%rank 0 print("took", t)').text.split('took')[1].split()[0])

def measure(ns, runs, wait):
    for n in ns:
        each = max(1, len(os.sched_getaffinity(0))//n)
        got = {o:[] for o in ('plain','top','profile','short','first_diff')}
        with group(n, f'--threads {each}') as k:
            k.cell(model)
            loop(k, 1000)
            for i in range(runs):
                ways = dict(plain=(1000,), top=(1000,'%%dist_top'), profile=(1000,'%%dist_profile'), short=(20,), first_diff=(20,'%%dist_first_diff'))
                for name in [*ways][::1 if i%2 else -1]:
                    if wait: settle(wait)
                    got[name].append(loop(k, *ways[name]))
                print('    '+', '.join(f'{o} {v[-1]:.3f}' for o,v in got.items()), file=sys.stderr, flush=True)
        yield Row(f'DDP, 1000 steps on {n} ranks, under `%%dist_top`; floor: plain', got['top'], got['plain'], ratio=1.01)
        yield Row('… under `%%dist_profile`', got['profile'], got['plain'])
        yield Row('… 20 steps under `%%dist_first_diff`', got['first_diff'], got['short'])

if __name__=='__main__': main(__doc__, measure, 9, (2,))
