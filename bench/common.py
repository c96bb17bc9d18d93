"""What the benchmarks share: real kernels, interleaved runs, and the table

Every figure stands beside its *floor*: the same thing without us, measured in the same run, by turns. A machine that is busy, or slow, then changes both, and their ratio stays. All times are
seconds, all sizes bytes.
"""
import argparse,glob,os,platform,re,signal,statistics,subprocess,sys,tempfile,time
from contextlib import contextmanager,suppress
from dataclasses import dataclass,field
from pathlib import Path
from queue import Empty
from jupyter_client.manager import KernelManager

ROOT = Path(__file__).resolve().parent.parent
ansi = re.compile(r'\x1b\[[0-9;]*m')

def clean_env(**kw):
    "The environment of what is measured: this package, no leftovers of a launcher, and Python as users have it"
    drop = 'PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED RANK LOCAL_RANK WORLD_SIZE MASTER_ADDR MASTER_PORT OMP_NUM_THREADS'.split()
    env = {k:v for k,v in os.environ.items() if k not in drop}
    return dict(env, PYTHONPATH=os.pathsep.join([str(ROOT), *filter(None, [env.get('PYTHONPATH')])]), **kw)

@dataclass
class Reply:
    "What one cell gave"
    seconds:float # From the request to its reply, on the client
    shown:float = 0. # From the request until all its output is here
    text:str = '' # Streams, without colours
    result:str = '' # Plain text of the results
    error:str = ''

class Kernel:
    "A real ipykernel for the length of a `with` block; `since` is the time just before its process was started"
    def __enter__(self):
        self.kc,self.km = None,KernelManager(kernel_name='python3')
        self.km.kernel_spec.argv[0] = sys.executable
        self.dir = tempfile.TemporaryDirectory(prefix='nbd-bench-')
        self.since = time.perf_counter()
        try:
            self.km.start_kernel(env=clean_env(), cwd=self.dir.name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.kc = self.km.client()
            self.kc.start_channels()
        except BaseException:
            self.__exit__()
            raise
        return self
    @property
    def pid(self): return self.km.provisioner.pid
    def cell(self, code, timeout=120., output=True):
        "Run `code`; without `output` only its reply is waited for. Raises for a cell that fails."
        t = time.perf_counter()
        mid,end,r = self.kc.execute(code, stop_on_error=False),time.monotonic()+timeout,Reply(0.)
        while True:
            m = self.kc.get_shell_msg(timeout=max(.1, end-time.monotonic()))
            if m['parent_header'].get('msg_id')==mid: break
        r.seconds = time.perf_counter()-t
        if output: self._output(mid, r, end)
        r.shown = time.perf_counter()-t
        if m['content']['status']!='ok': raise RuntimeError(f"cell {code!r} failed: {r.error or m['content'].get('evalue')}")
        return r
    def _output(self, mid, r, end):
        text = []
        while True:
            m = self.kc.get_iopub_msg(timeout=max(.1, end-time.monotonic()))
            if m['parent_header'].get('msg_id')!=mid: continue
            kind,c = m['msg_type'],m['content']
            if kind=='stream': text.append(c['text'])
            elif kind in ('execute_result','display_data'): r.result += c['data'].get('text/plain','')
            elif kind=='error': r.error = ansi.sub('', f"{c['ename']}: {c['evalue']}")
            elif kind=='status' and c['execution_state']=='idle': break
        r.text = ansi.sub('', ''.join(text))
    def ready(self):
        "Wait until cells are answered and output is heard"
        for _ in range(200):
            self.cell('0', output=False)
            with suppress(Empty):
                while True: self.kc.get_iopub_msg(timeout=.1)
            with suppress(Empty):
                mid = self.kc.execute('0')
                while self.kc.get_iopub_msg(timeout=.5)['parent_header'].get('msg_id')!=mid: pass
                self.cell('0')
                return self
        raise TimeoutError('no output of the kernel is heard')
    def __exit__(self, *_):
        tree = processes(self.pid) if self.km.has_kernel else []
        try:
            if self.kc is not None: self.kc.stop_channels()
        finally:
            if tree: self._end(tree)
            self.dir.cleanup()
    def _end(self, tree):
        "End the kernel, and see to it that all below it ends too"
        self.km.shutdown_kernel(now=True)
        end = time.monotonic()+5
        while (left := [p for p in tree if alive(p)]) and time.monotonic()<end: time.sleep(.01)
        for pid,_ in left:
            with suppress(ProcessLookupError): os.kill(pid, signal.SIGKILL)
        if left: raise RuntimeError(f"{len(left)} processes outlived their kernel by 5 s and were killed")

@contextmanager
def group(n, *options, plain=False):
    "A kernel with a group of `n` ranks, or a plain one"
    with Kernel() as k:
        k.ready()
        if not plain:
            k.cell('%load_ext nbdistributed')
            k.cell(' '.join([f'%dist_init -n {n}', *options]))
        yield k

# Processes

def _stat(pid): # parent and start time; the name before them may hold spaces
    f = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return int(f[1]),f[19],f[0]

def alive(p):
    "Is `(pid, start)` still that process?"
    try: _,start,state = _stat(p[0])
    except (FileNotFoundError,ProcessLookupError): return False
    return start==p[1] and state!='Z'

def processes(pid):
    "`(pid, start)` of `pid` and all below it"
    kids = {}
    for d in glob.glob('/proc/[0-9]*'):
        with suppress(FileNotFoundError,ProcessLookupError):
            ppid,start,_ = _stat(d[6:])
            kids.setdefault(ppid, []).append((int(d[6:]),start))
    res,todo = [],[o for os_ in kids.values() for o in os_ if o[0]==pid]
    while todo:
        res.append(todo.pop())
        todo += kids.get(res[-1][0], [])
    return res

def pss(pid):
    "Memory of a process in bytes: what it has alone, and its share of what it shares"
    return 1024*int(re.search(r'^Pss:\s+(\d+)', Path(f'/proc/{pid}/smaps_rollup').read_text(), re.M)[1])

def own(pid):
    "Bytes that no other process shares: what would be free again without this one"
    return 1024*sum(map(int, re.findall(r'^Private_\w+:\s+(\d+)', Path(f'/proc/{pid}/smaps_rollup').read_text(), re.M)))

def parent(pid): return _stat(pid)[0]

# Runs

def _busy(): # CPU seconds used by anybody, in ticks
    f = [int(o) for o in Path('/proc/stat').read_text().splitlines()[0].split()[1:9]]
    return sum(f)-f[3]-f[4],sum(f)

def settle(most=20., share=.25):
    "Wait until the machine is nearly idle, `most` seconds at most; the share of it that others used last"
    end = time.monotonic()+most
    while True:
        (b0,a0),_,(b1,a1) = _busy(),time.sleep(.3),_busy()
        used = (b1-b0)/max(1, a1-a0)
        if used<share or time.monotonic()>end: return used

def interleave(runs, wait=0., **fs):
    "Call each of `fs` `runs` times by turns, in changing order; their results by name"
    res = {k:[] for k in fs}
    for i in range(runs):
        for k in list(fs) if i%2==0 else list(fs)[::-1]:
            if wait: settle(wait)
            res[k].append(fs[k]())
            print(f'    {k} {i+1}/{runs}: {show(res[k][-1])}', file=sys.stderr, flush=True)
    return res

def show(v): return f'{v:.4g}' if isinstance(v, float) else str(v)

# The table

_units = dict(s=(1,'s'), ms=(1e3,'ms'), us=(1e6,'µs'), MB=(1e-6,'MB'), pct=(100,'%'), n=(1,''))
@dataclass
class Row:
    "One figure beside its floor"
    figure:str
    values:list
    floors:list = field(default_factory=list)
    unit:str = 's' # see `_units`
    ratio:float|None = None # The target: at most so many times the floor
    plus:float|None = None # … or at most so much more than the floor
    most:float|None = None # … or at most so much
    def text(self, v):
        k,u = _units[self.unit]
        return (f'{v*k:.3g} {u}' if abs(v*k)<1000 else f'{v*k:.0f} {u}').strip()
    @property
    def value(self): return statistics.median(self.values)
    @property
    def floor(self): return statistics.median(self.floors) if self.floors else None
    @property
    def target(self):
        if self.ratio: return f'≤ {self.ratio:.2f} ×'
        if self.plus: return f'≤ floor + {self.text(self.plus)}'
        return '' if self.most is None else '0' if self.most==0 else f'≤ {self.text(self.most)}'
    def beside(self, f):
        "Median of `f(value, floor)` over runs that were made one after the other, which met the same machine; of the medians if there are no such pairs"
        return statistics.median(map(f, self.values, self.floors)) if len(self.values)==len(self.floors) else f(self.value, self.floor)
    @property
    def times(self): return self.beside(lambda v,f: v/f) if self.floors else None
    @property
    def more(self): return self.beside(lambda v,f: v-f) if self.floors else None
    @property
    def met(self):
        if self.ratio: return self.times<=self.ratio
        if self.plus: return self.more<=self.plus
        return None if self.most is None else max(self.values)<=0 if self.most==0 else self.value<=self.most # what may not happen may not happen once
    def cells(self):
        "Of one line of the table"
        spread = f' ({self.text(min(self.values))} to {self.text(max(self.values))})' if len(self.values)>2 else ''
        beside = '' if not self.floors else f'{self.text(self.more)} more' if self.plus else f'{self.times:.2f} ×'
        return [self.figure, self.text(self.value)+spread, self.text(self.floor) if self.floors else '', beside, self.target, {True:'yes', False:'**no**', None:''}[self.met], str(len(self.values))]

_heads = ['figure','here: median (least to most)','floor','beside it','target','met','runs']
def table(rows):
    "A markdown table"
    lines = [_heads, ['---']*len(_heads), *[r.cells() for r in rows]]
    return '\n'.join('| '+' | '.join(o)+' |' for o in lines)

def machine():
    "What it was measured on, in one line"
    from importlib.metadata import version
    v = ', '.join(f'{o} {version(o)}' for o in ('torch','ipykernel','ipython'))
    return f'{len(os.sched_getaffinity(0))} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}, {v}; load {os.getloadavg()[0]:.1f}'

def parser(doc, runs, n=(2,4,8)):
    "Options that all benchmarks have"
    p = argparse.ArgumentParser(description=doc.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument('--n', type=int, nargs='+', default=list(n), help='sizes of the group')
    p.add_argument('--runs', type=int, default=runs, help='runs of each, by turns')
    p.add_argument('--wait', type=float, default=20., help='seconds to wait before a run for other processes to be done')
    return p

def ended(*_): raise SystemExit(143) # `with` blocks then end what they started
def main(doc, measure, runs, n=(2,4,8)):
    "A benchmark's command line"
    args = parser(doc, runs, n).parse_args()
    signal.signal(signal.SIGTERM, ended)
    rows = list(measure(args.n, args.runs, args.wait))
    print(f'{machine()}\n\n{table(rows)}')
