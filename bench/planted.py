"""Faults planted in a training of two ranks, and what `%%dist_profile` says of each, on a machine that is busy

Beside the ranks as many processes compute as `--busy` says. Each fault is profiled `--runs` times, by turns, and so is a training that has none. A row counts how often the verdict is the fault, how often the
fault is named somewhere, and the verdicts that it got.

    python bench/planted.py --runs 5 --busy 2
"""
import argparse,re,subprocess,sys
from collections import Counter
from common import Kernel

setup = """import time
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader,Dataset
m = DDP(torch.nn.Sequential(*[torch.nn.Linear(64,64) for _ in range(2)]))
opt = torch.optim.SGD(m.parameters(), lr=1e-6)
a,x = torch.randn(500,500),torch.ones(8,64)
class D(Dataset):
    def __init__(self, n, pause): self.n,self.pause = n,pause
    def __len__(self): return self.n
    def __getitem__(self, i): time.sleep(self.pause); return torch.ones(64)
def step(x):
    o = m(x).sum()
    o.backward(); opt.step(); opt.zero_grad()
    return o
step(x)"""

work = "for _ in range(8): a@a"
planted = { # name to verdict, what has to be said, and the cell
    'slow loader on rank 1':('INPUT-BOUND', 'rank 1 came last', "for x in DataLoader(D(12, .04*(rank==1)), batch_size=2): step(x)"),
    'unequal work':('STRAGGLER', 'rank 1 came last', "for _ in range(8):\n    for _ in range(4+36*rank): a@a\n    step(x)"),
    'many tiny collectives':('COMMUNICATION-BOUND', 'put small tensors together', "ts = [torch.ones(10) for _ in range(500)]\nfor t in ts: dist.all_reduce(t)"),
    'too many threads':('OVERSUBSCRIBED', 'threads for', "torch.set_num_threads(8)\nb = torch.rand(1<<20)\nfor _ in range(300): b.sin_()"),
    'a tensor printed in each step':('WAITING ON THE NOTEBOOK', 'prints in', "torch.set_printoptions(threshold=10_000)\n"
        "for i in range(8):\n    step(x)\n    print(i, m.module[0].weight)\ntorch.set_printoptions(profile='default')"),
    'a number printed in each step':(None, 'in each of 20 steps', f"for i in range(20):\n    {work}\n    print(i, step(x).item())"),
    'none':('COMPUTE-BOUND', None, f"for _ in range(20):\n    {work}\n    step(x)")}
said_by = re.compile(r'print in each of|prints in each of')

def verdict(text):
    "The first line of a profile"
    m = re.search(r'([A-Z][A-Z- ]+[A-Z])\nWhy: ', text) # a note on who waits may be before it
    return m[1] if m else 'none'

def main(runs, busy):
    got = {name:[] for name in planted}
    load = [subprocess.Popen([sys.executable, '-c', 'while True: pass']) for _ in range(busy)]
    try:
        with Kernel() as k:
            k.cell('%load_ext nbdistributed\n%dist_init -n 2 --threads 1', timeout=300)
            k.cell(setup)
            for i in range(runs):
                for name,(word,_,cell) in [*planted.items()][::1 if i%2 else -1]:
                    r = k.cell(f'%%dist_profile\n{cell}', timeout=300)
                    got[name].append(r.result+r.text)
                    k.cell('torch.set_num_threads(1)')
                    print(f'    {i} {name}: {verdict(got[name][-1])}', file=sys.stderr, flush=True)
    finally:
        for p in load: p.kill(); p.wait()
    print(f'{busy} busy processes beside two ranks, {runs} runs each\n\n| planted | named | verdict as it should be | verdicts |\n| --- | --- | --- | --- |')
    for name,(word,says,_) in planted.items():
        named = sum(says in t if says else not said_by.search(t) for t in got[name])
        right = sum(verdict(t)==word for t in got[name]) if word else '-'
        all_ = ', '.join(f'{v} {n}' for v,n in Counter(map(verdict, got[name])).most_common())
        print(f'| {name} | {named} of {runs} | {right}{f" of {runs}" if word else ""} | {all_} |')
    return got

if __name__=='__main__':
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--runs', type=int, default=5)
    p.add_argument('--busy', type=int, default=2, help='processes that compute beside the ranks')
    p.add_argument('--show', action='store_true', help='show each profile that was not what was planted')
    a = p.parse_args()
    got = main(a.runs, a.busy)
    if a.show:
        for name,(word,says,_) in planted.items():
            for t in got[name]:
                if word and verdict(t)!=word or says and says not in t: print(f"\n### {name}\n{t[:1600]}")
