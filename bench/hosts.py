"""What a cell costs the notebook's kernel with many ranks on many hosts

The kernel's side is real: a `Meeting`, its trunk with keys, a `Group`. So is each host's relay. Ranks are light stand-ins that greet, join and end a cell at once, since a thousand real ones don't fit on a machine;
what they do costs no time of the kernel. With `--loud SECONDS` every host prints 1 MB/s for so long, as far as its credit goes, and measured is how long the kernel takes for a question meanwhile. Else measured is the processor time of the kernel's process, all its threads, for a cell on all ranks that prints the same line everywhere, and how much memory it has more than before.
"""
import argparse,os,statistics,subprocess,sys,threading,time
from contextlib import contextmanager
from pathlib import Path
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import zmq
from nbdistributed.host.relay import Relay,about_host,knock
from nbdistributed.wire.messages import Ack,Answer,Ask,Done,End,Execute,Exited,Glance,Hello,Probe,Ready,Shutdown,Spawn,Stream,pack,unpack
from nbdistributed.wire.questions import only_looks
from nbdistributed.wire.trunk import read_invitation

class Light(Relay):
    "A relay whose supervisor and ranks are one thread"
    def start_supervisor(self): threading.Thread(target=self.serve, daemon=True).start()
    def serve(self):
        ctx,poller,ends = zmq.Context(),zmq.Poller(),{}
        def dial(name, generation=0):
            s = ctx.socket(zmq.DEALER)
            s.setsockopt(zmq.IDENTITY, f'{name}.{generation}'.encode()); s.connect(self.post.url)
            ends[s] = name; poller.register(s, zmq.POLLIN)
            send(s, Hello(self.token, os.getpid(), self.name, generation))
            return s
        def send(s, m): s.send_multipart([ends[s].encode(), *pack(m)])
        loud = {} # socket: cell, when it ends, bytes said, bytes seen
        def shout():
            for s,o in list(loud.items()):
                if time.monotonic()>o[1]: del loud[s]; send(s, Done(o[0], True, seconds=.0))
                elif o[2]-o[3]<8<<20 and o[2]<1e6*(time.monotonic()-o[4]):
                    text = ''.join(f'{ends[s]} says line {o[2]+i}, which nobody else says\n' for i in range(1000)); o[2] += len(text)
                    send(s, Stream(o[0], 'stdout', text))
        dial('a0')
        while True:
            shout()
            for s,_ in poller.poll(20 if loud else None):
                m,_ = unpack(s.recv_multipart()[1:])
                if isinstance(m, Ack) and s in loud: loud[s][3] += m.size
                elif isinstance(m, Execute) and m.code.startswith('loud'): loud[s] = [m.cell, time.monotonic()+float(m.code[4:]), 0, 0, time.monotonic()]
                elif isinstance(m, Probe): send(s, Answer(m.id, dict(kind='cpu', names=[])))
                elif isinstance(m, Spawn):
                    for o in m.specs: send(dial(f"r{o['rank']}", o['generation']), Ready(info={}))
                    send(s, Answer(m.id, dict(pids={o['rank']:1 for o in m.specs}, how='fork', why=None, master_port=m.specs[0]['master_port'] or 1)))
                elif isinstance(m, End):
                    for r in m.ranks: send(s, Exited(r, m.generation, 0))
                elif isinstance(m, Execute):
                    send(s, Stream(m.cell, 'stdout', 'the same line\n')); send(s, Done(m.cell, True, seconds=.0)) # in tenths, as ranks say it
                elif isinstance(m, Ask) and m.what in ('door','ways'): m.id and send(s, Answer(m.id, 1 if m.what=='door' else ''))
                elif isinstance(m, Ask) and m.id: send(s, (Glance if only_looks(m.what) else Answer)(m.id, dict(busy=None, count=1, group=True, line=None, used=1<<28, total=1<<34, resting=True, waiting=[], last={}, stack='', collective=None)))

def several(names, slots, text):
    "Be some hosts, in one process"
    inv = read_invitation(text)
    def one(name):
        r = Light(inv, knock(inv, about_host(os.environ, inv['url'], slots, name), say=lambda s: None))
        r.up.start(); r.post.start(); r.say(Hello('', os.getpid(), r.name)); r.start_supervisor()
        while r.news.get()[0]!='notebook': pass
        r.post.close(); r.up.close()
    ts = [threading.Thread(target=one, args=(n,)) for n in names]
    for t in ts: t.start()
    for t in ts: t.join()

def rss():
    with open('/proc/self/statm') as f: return int(f.read().split()[1])*os.sysconf('SC_PAGE_SIZE')

@contextmanager
def group(hosts, slots, per=8):
    "A group on so many light hosts, and the memory that this process had before"
    from nbdistributed.kernel.front.session import Group
    from nbdistributed.kernel.hosts.meeting import Meeting
    from nbdistributed.display.render import Render # what is imported is no memory of the ranks'
    before,n = rss(),hosts*slots
    m = Meeting('127.0.0.1', say=lambda s: None)
    names = [f'c{i}' for i in range(hosts)]
    ps = [subprocess.Popen([sys.executable, __file__, '--be', ','.join(names[i:i+per]), str(slots)], env={**os.environ, 'NBD_MEET':m.invitation}) for i in range(0, hosts, per)]
    m.wait(n, 120)
    g = Group(n, meet=m, say=lambda s: None, check=False)
    yield g,before
    g.close(); m.close()
    for p in ps: p.wait(20)

def loud(hosts, slots, seconds):
    "Seconds that a question to a rank takes, and a Python thread's sleep of 20 ms too long, while all hosts print; megabytes heard"
    with group(hosts, slots) as (g,before):
        asked,slept,over,said = [],[],threading.Event(),[0]
        def publish(kind, content, *a): said[0] += len(content.get('text', ''))
        def ask():
            while not over.wait(.1):
                t = time.perf_counter(); time.sleep(.02); slept.append(time.perf_counter()-t-.02)
                t = time.perf_counter(); got = g.members.ask('at', [0], timeout=10); asked.append(time.perf_counter()-t if got else 10)
        th = threading.Thread(target=ask); th.start()
        c,t = time.process_time(),time.perf_counter()
        heard = [0]; take = g.inbox._acknowledge
        def count(a, size): heard[0] += size; take(a, size)
        g.inbox._acknowledge = count
        g.run(f'loud{seconds}', publish=publish)
        cpu = (time.process_time()-c)/(time.perf_counter()-t); over.set(); th.join()
        return dict(hosts=hosts, heard_mb=heard[0]/1e6, mb_s=heard[0]/1e6/seconds, asked=statistics.median(asked), asked_most=max(asked), slept_most=max(slept), cpu=cpu, more_mb=(rss()-before)/1e6, n=len(asked))

def measure(hosts, slots, cells=30, per=8):
    "Kernel's milliseconds and wall milliseconds for a cell; megabytes more"
    with group(hosts, slots, per) as (g,before): return _measure(g, before, hosts, cells)

def _measure(g, before, hosts, cells):
    said,n = [],g.n
    for _ in range(3): g.run('x', publish=lambda *a: said.append(a))
    cpu,wall = [],[]
    for _ in range(cells):
        c,t = time.process_time(),time.perf_counter()
        g.run('x', publish=lambda *a: said.append(a))
        cpu.append(time.process_time()-c); wall.append(time.perf_counter()-t)
        time.sleep(.05)
    more = rss()-before
    t = time.perf_counter(); g.status(); status = time.perf_counter()-t
    t = time.perf_counter(); g.where(); where = time.perf_counter()-t
    return dict(ranks=n, hosts=hosts, kernel_ms=statistics.median(cpu)*1e3, wall_ms=statistics.median(wall)*1e3, more_mb=more/1e6, status_s=status, where_s=where, starts_s=g.started.seconds)

if __name__=='__main__':
    if sys.argv[1:2]==['--be']: several(sys.argv[2].split(','), int(sys.argv[3]), os.environ['NBD_MEET']); sys.exit()
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('sizes', nargs='*', default=['4x8','8x8','32x8'], help='hosts x ranks on each')
    p.add_argument('--loud', type=float, metavar='SECONDS', help='have all hosts print 1 MB/s')
    a = p.parse_args()
    if a.loud:
        for o in a.sizes:
            r = loud(*map(int, o.split('x')), a.loud)
            print(f"{o}: {r['heard_mb']:.0f} MB heard, {r['mb_s']:.1f} MB/s; {r['n']} questions, median {r['asked']*1e3:.0f} ms, longest {r['asked_most']*1e3:.0f} ms; "
                f"a thread waits {r['slept_most']*1e3:.0f} ms at most; {r['cpu']:.0%} of a core, {r['more_mb']:.0f} MB more memory", flush=True)
        sys.exit()
    print('ranks  hosts  kernel ms  wall ms  MB more  status s  where s  start s')
    for s in a.sizes:
        r = measure(*map(int, s.split('x')))
        print(f"{r['ranks']:5}  {r['hosts']:5}  {r['kernel_ms']:9.1f}  {r['wall_ms']:7.1f}  {r['more_mb']:7.1f}  {r['status_s']:8.2f}  {r['where_s']:7.2f}  {r['starts_s']:7.2f}", flush=True)
