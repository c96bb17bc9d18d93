"""How long it takes to print a lot

20,000 lines of 80 characters on every rank, until all of it is at the client, against a plain kernel that prints as many once. Equal text of ranks folds; differing text is shown for each rank.
Either way no line may be lost, changed or out of order.
"""
from contextlib import ExitStack
from itertools import zip_longest
from common import *

count,width = 20_000,80
_loop = f'for i in range({count}): print(f"{{i:06d}} {{who}} ".ljust({width}, "."))'
plain,differing = f'who = "-"\n{_loop}',f'who = rank\n{_loop}'

def lines(who): return [f'{i:06d} {who} '.ljust(width, '.') for i in range(count)]

def wrong(text, want):
    "How many lines of `want[who]`, for each `who`, are missing or out of order in `text`, and how many are there that nobody printed; headings don't count"
    got,extra = {who:[] for who in want},0
    for l in text.splitlines():
        if re.fullmatch(r'ranks? [\d,-]+', l): continue
        who = l.split(' ')[1] if l[6:7]==' ' else None
        if who in got: got[who].append(l)
        else: extra += 1
    return extra+sum(sum(x!=y for x,y in zip_longest(got[who], o)) for who,o in want.items())

def measure(ns, runs, wait):
    bad = {}
    with ExitStack() as st:
        base = st.enter_context(group(0, plain=True))
        ks = {n:st.enter_context(group(n)) for n in ns}
        def once(name, k, code, *whos):
            r = k.cell(code)
            bad.setdefault(name, []).append(wrong(r.text, {str(w):lines(w) for w in whos}))
            return r.shown
        fs = dict(floor=lambda: once('floor', base, plain, '-'))
        for n,k in ks.items():
            fs[f'equal{n}'] = lambda k=k,n=n: once(f'equal{n}', k, plain, '-')
            fs[f'differing{n}'] = lambda k=k,n=n: once(f'differing{n}', k, differing, *range(n))
        for f in fs.values(): f()
        r = interleave(runs, wait, **fs)
    for n in ns:
        for what in 'equal','differing':
            name = f'{what}{n}'
            yield Row(f'20,000 lines on each of {n} ranks, {what}; floor: in a plain kernel', r[name], r['floor'], ratio=2 if n==2 else None)
            yield Row(f'… lines lost, changed or added', bad[name], unit='n', most=0)

if __name__=='__main__': main(__doc__, measure, 5)
