"""Every benchmark, and one table

`python bench/all.py --save` puts the table into `bench/README.md`. The defaults take twenty minutes on an idle machine.
"""
from common import *
import check,data,ddp,first,lines,memory,roundtrip,start

parts = dict(start=(start,5), roundtrip=(roundtrip,9), first=(first,7), lines=(lines,5), ddp=(ddp,4), check=(check,3), memory=(memory,3), data=(data,3))
page = Path(__file__).with_name('README.md')
begin,end = '<!-- results -->','<!-- end of results -->'

def save(text):
    "Put `text` in the place of the page's last results"
    a,_,rest = page.read_text().partition(begin)
    page.write_text(f'{a}{begin}\n{text}\n{end}{rest.partition(end)[2]}')

def run():
    p = parser(__doc__, None)
    p.add_argument('--only', nargs='+', choices=list(parts), default=list(parts), help='some of the benchmarks')
    p.add_argument('--save', action='store_true', help='put the table into README.md')
    args,rows = p.parse_args(),[]
    signal.signal(signal.SIGTERM, ended)
    for name in args.only:
        module,runs = parts[name]
        print(f'{name} …', file=sys.stderr, flush=True)
        these = list(module.measure([2] if name in ('ddp','check') else args.n, args.runs or runs, args.wait))
        print(table(these), file=sys.stderr, flush=True) # should a later one fail
        rows += these
    text = f'{time.strftime("%Y-%m-%d")}: {machine()}\n\n{table(rows)}'
    print(text)
    if args.save: save(text)

if __name__=='__main__': run()
