"""How fast a training loop is

A DDP loop of 100 steps on gloo, quiet and printing each step, against the same lines in a script under torchrun with as many threads. Only the loop is timed, on rank 0, by the same lines on both
sides. Both sides are alive at once and take turns, so that they meet the same machine: `pairs` turns on each of `runs` fresh pairs. And the CPU time of our own threads in the ranks, as a share
of what the ranks used during the loop.
"""
from contextlib import ExitStack
from common import *

model = """
import os,time,torch,torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
torch.manual_seed(0)
net = DDP(nn.Sequential(nn.Linear(64,256), nn.ReLU(), nn.Linear(256,256), nn.ReLU(), nn.Linear(256,10)))
opt = torch.optim.SGD(net.parameters(), lr=.01)
x,y = torch.randn(256,64),torch.randint(0,10,(256,))
def loop(loud, steps=100):
    for i in range(steps):
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if loud: print(f'rank {dist.get_rank()} step {i:3d} loss {loss.item():.4f}')
def timed(loud):
    dist.barrier()
    t = time.perf_counter()
    loop(loud)
    return time.perf_counter()-t
loop(False, 10)
"""

threads = """
import threading
def cpu():
    "Nanoseconds of CPU: of all threads of this process, and of those that the library started"
    ours,total,own = {t.native_id for t in threading.enumerate() if t.name.startswith('nbd')},0,0
    for t in os.listdir('/proc/self/task'):
        ns = int(open(f'/proc/self/task/{t}/schedstat').read().split()[0])
        total += ns
        if int(t) in ours or open(f'/proc/self/task/{t}/comm').read().startswith('ZMQ'): own += ns
    return total,own
"""

script = """
import sys,torch.distributed as dist
dist.init_process_group('gloo')
exec(open(sys.argv[1]).read())
while True:
    word = [open(sys.argv[2]).read() if dist.get_rank()==0 else None] # a pipe: waits for the word
    dist.broadcast_object_list(word)
    if word[0]=='end': break
    t = timed(word[0]=='loud')
    if dist.get_rank()==0:
        with open(sys.argv[3], 'w') as f: f.write(repr(t))
dist.destroy_process_group()
"""

class Torchrun:
    "The script, live under torchrun, for the length of a `with` block"
    def __init__(self, n, threads): self.n,self.threads = n,threads
    def __enter__(self):
        self.tmp = tempfile.TemporaryDirectory(prefix='nbd-bench-')
        d = self.dir = Path(self.tmp.name)
        for o in 'ask','answer': os.mkfifo(d/o)
        (d/'model.py').write_text(model); (d/'script.py').write_text(script)
        cmd = [sys.executable,'-m','torch.distributed.run','--standalone','--nproc-per-node',str(self.n),str(d/'script.py'),*[str(d/o) for o in ('model.py','ask','answer')]]
        self.out = subprocess.Popen(['cat'], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) # somebody who reads what is printed, as the kernel does
        self.p = subprocess.Popen(cmd, env=clean_env(OMP_NUM_THREADS=str(self.threads), GLOO_SOCKET_IFNAME='lo'), cwd=d, stdout=self.out.stdin, stderr=subprocess.DEVNULL, start_new_session=True)
        return self
    def _open(self, name, flags, what, timeout=120):
        end = time.monotonic()+timeout
        while True: # never blocked by a torchrun that ended
            with suppress(OSError): return os.open(self.dir/name, flags|os.O_NONBLOCK)
            if self.p.poll() is not None or time.monotonic()>end: raise RuntimeError(f'torchrun {what}: exit code {self.p.returncode}')
            time.sleep(.01)
    def turn(self, loud):
        a = self._open('answer', os.O_RDONLY, 'did not start')
        q = self._open('ask', os.O_WRONLY, 'does not listen')
        os.write(q, b'loud' if loud else b'quiet'); os.close(q)
        end,got = time.monotonic()+120,b''
        while not got:
            time.sleep(.01)
            with suppress(BlockingIOError): got = os.read(a, 100)
            if self.p.poll() is not None or time.monotonic()>end: raise RuntimeError(f'torchrun gave no answer: exit code {self.p.returncode}')
        os.close(a)
        return float(got)
    def __exit__(self, *_):
        with suppress(ProcessLookupError): os.killpg(self.p.pid, signal.SIGTERM)
        try: self.p.wait(10)
        except subprocess.TimeoutExpired: os.killpg(self.p.pid, signal.SIGKILL); self.p.wait()
        self.out.stdin.close(); self.out.wait(10)
        self.tmp.cleanup()

def ours(k, loud):
    "Seconds, and the share of our threads, of one turn in the notebook"
    r = k.cell(f'a = cpu(); t = timed({loud}); b = cpu()\nif rank==0: print("took", t, (b[1]-a[1])/(b[0]-a[0]))')
    took = [l.split()[1:] for l in r.text.splitlines() if l.startswith('took')]
    steps = sum(l.startswith('rank') and ' step ' in l for l in r.text.splitlines())
    if loud and steps!=100*k.n: raise RuntimeError(f'{steps} lines came of {100*k.n}')
    return float(took[0][0]),float(took[0][1])

def measure(ns, runs, wait, pairs=5):
    n,res = ns[0],{loud:([],[],[]) for loud in (False,True)}
    each = max(1, len(os.sched_getaffinity(0))//n)
    for run in range(runs):
        with Torchrun(n, each) as tr, group(n, f'--threads {each}') as k:
            k.n = n
            k.cell(model+threads)
            for loud in False,True: tr.turn(loud); ours(k, loud)
            for i in range(pairs):
                for loud,(mine,floor,share) in res.items():
                    if wait: settle(wait)
                    for who in ('us','torchrun') if i%2 else ('torchrun','us'):
                        if who=='us': t,s = ours(k, loud); mine.append(t); share.append(s)
                        else: floor.append(tr.turn(loud))
                    print(f'    {"printing" if loud else "quiet"} {len(mine)}: {mine[-1]:.3f} s, torchrun {floor[-1]:.3f} s, own threads {share[-1]:.2%}', file=sys.stderr, flush=True)
    for loud,(mine,floor,share) in res.items():
        what = 'printing each step' if loud else 'quiet'
        yield Row(f'DDP, 100 steps on {n} ranks, {what}; floor: torchrun', mine, floor, ratio=1.1)
        yield Row(f'… CPU time of our own threads, share of the rank', share, unit='pct', most=.02)

if __name__=='__main__': main(__doc__, measure, 4, (2,))
