"""How long the smallest cell takes

`x=1` on all ranks, from the client's request to the reply, against the same cell in a plain kernel.
"""
from contextlib import ExitStack
from common import *

plus = {2:.005, 8:.012}
def measure(ns, runs, wait, block=50):
    with ExitStack() as st:
        ks = {'floor': st.enter_context(group(0, plain=True)), **{f'n{n}':st.enter_context(group(n)) for n in ns}}
        def some(k):
            for _ in range(5): k.cell('x=1')
            ts = [k.cell('x=1').seconds for _ in range(block)]
            return statistics.median(ts)
        r = interleave(runs, wait, **{name:lambda k=k: some(k) for name,k in ks.items()})
    for n in ns: yield Row(f'`x=1` on {n} ranks, request to reply; floor: in a plain kernel', r[f'n{n}'], r['floor'], unit='ms', plus=plus.get(n))

if __name__=='__main__': main(__doc__, measure, 9)
