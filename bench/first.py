"""How soon a rank's first text is at the client

A cell prints a line and goes on for a while. From the client's request to the line, on ranks that all print the same, and on ranks that differ, against the same cell in a plain kernel. Folding holds the first
text of a cell until all ranks have said the same, or for 30 ms.
"""
from contextlib import ExitStack
from common import *

most = .040
def first(k, code):
    "Seconds from the request of cell `code` to its first text"
    t = time.perf_counter()
    mid,res = k.kc.execute(f"{code}; __import__('time').sleep(.1)", stop_on_error=False),None
    while True:
        m = k.kc.get_iopub_msg(timeout=60)
        if m['parent_header'].get('msg_id')!=mid: continue
        if m['msg_type']=='stream' and res is None: res = time.perf_counter()-t
        if m['msg_type']=='status' and m['content']['execution_state']=='idle': break
    while k.kc.get_shell_msg(timeout=60)['parent_header'].get('msg_id')!=mid: pass
    if res is None: raise RuntimeError(f'cell {code!r} printed nothing')
    return res

def measure(ns, runs, wait, block=5):
    with ExitStack() as st:
        base,ks = st.enter_context(group(0, plain=True)),{n:st.enter_context(group(n)) for n in ns}
        def some(k, code): return statistics.median(first(k, code) for _ in range(block))
        fs = dict(floor=lambda: some(base, "print('-', flush=True)"))
        for n,k in ks.items():
            fs[f'equal{n}'] = lambda k=k: some(k, "print('-', flush=True)")
            fs[f'differing{n}'] = lambda k=k: some(k, 'print(rank, flush=True)')
        for f in fs.values(): f()
        r = interleave(runs, wait, **fs)
    for n in ns:
        for what in 'equal','differing':
            yield Row(f'first text of {n} ranks, {what}; floor: in a plain kernel', r[f'{what}{n}'], r['floor'], unit='ms', plus=most if n==2 else None)

if __name__=='__main__': main(__doc__, measure, 7)
