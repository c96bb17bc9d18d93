"""What a cell costs the notebook's kernel with many ranks on many hosts

The kernel's side is real: a `Meeting`, its trunk with keys, a `Group`. So is each host's relay. Ranks are light stand-ins that greet, join and end a cell at once, since a thousand real ones don't fit on a machine;
what they do costs no time of the kernel. Measured is the processor time of the kernel's process, all its threads, for a cell on all ranks that prints the same line everywhere, and how much memory it has more than before.
"""
import argparse,os,resource,statistics,subprocess,sys,threading,time
from pathlib import Path
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import zmq
from nbdistributed.host.relay import Relay,about_host,knock
from nbdistributed.wire.messages import Answer,Ask,Done,End,Execute,Exited,Hello,Probe,Ready,Shutdown,Spawn,Stream,pack,unpack
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
        dial('a0')
        while True:
            for s,_ in poller.poll():
                m,_ = unpack(s.recv_multipart()[1:])
                if isinstance(m, Probe): send(s, Answer(m.id, dict(kind='cpu', names=[])))
                elif isinstance(m, Spawn):
                    for o in m.specs: send(dial(f"r{o['rank']}", o['generation']), Ready(info={}))
                    send(s, Answer(m.id, dict(pids={o['rank']:1 for o in m.specs}, how='fork', why=None, master_port=m.specs[0]['master_port'] or 1)))
                elif isinstance(m, End):
                    for r in m.ranks: send(s, Exited(r, m.generation, 0))
                elif isinstance(m, Execute):
                    send(s, Stream(m.cell, 'stdout', 'the same line\n')); send(s, Done(m.cell, True, seconds=.0)) # in tenths, as ranks say it
                elif isinstance(m, Ask) and m.id: send(s, Answer(m.id, dict(busy=None, count=1, group=True, line=None, used=1<<28, total=1<<34, resting=True, waiting=[], last={}, stack='', collective=None)))

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

def measure(hosts, slots, cells=30, per=8):
    "Kernel's milliseconds and wall milliseconds for a cell; megabytes more"
    from nbdistributed.kernel.front.session import Group
    from nbdistributed.kernel.hosts.meeting import Meeting
    from nbdistributed.display.render import Render # what is imported is no memory of the ranks'
    before,n = rss(),hosts*slots
    m = Meeting('127.0.0.1', say=lambda s: None)
    names = [f'c{i}' for i in range(hosts)]
    ps = [subprocess.Popen([sys.executable, __file__, '--be', ','.join(names[i:i+per]), str(slots)], env={**os.environ, 'NBD_MEET':m.invitation}) for i in range(0, hosts, per)]
    m.wait(n, 120)
    g,said = Group(n, meet=m, say=lambda s: None, check=False),[]
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
    g.close(); m.close()
    for p in ps: p.wait(20)
    return dict(ranks=n, hosts=hosts, kernel_ms=statistics.median(cpu)*1e3, wall_ms=statistics.median(wall)*1e3, more_mb=more/1e6, status_s=status, where_s=where, starts_s=g.started.seconds)

if __name__=='__main__':
    if sys.argv[1:2]==['--be']: several(sys.argv[2].split(','), int(sys.argv[3]), os.environ['NBD_MEET']); sys.exit()
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('sizes', nargs='*', default=['4x8','8x8','32x8'], help='hosts x ranks on each')
    print('ranks  hosts  kernel ms  wall ms  MB more  status s  where s  start s')
    for s in p.parse_args().sizes:
        r = measure(*map(int, s.split('x')))
        print(f"{r['ranks']:5}  {r['hosts']:5}  {r['kernel_ms']:9.1f}  {r['wall_ms']:7.1f}  {r['more_mb']:7.1f}  {r['status_s']:8.2f}  {r['where_s']:7.2f}  {r['starts_s']:7.2f}", flush=True)
