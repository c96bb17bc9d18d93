"""How long it takes to print a lot

20,000 lines of 80 characters on every rank, until all of it is at the client, against a plain kernel that prints as many once. Equal text of ranks folds; differing text is shown for each rank.
Either way no line may be lost, changed or out of order.
"""
from collections import Counter
from contextlib import ExitStack
from common import *

count,width = 20_000,80
_loop = f'for i in range({count}): print(f"{{i:06d}} {{who}} ".ljust({width}, "."))'
plain,differing = f'who = "-"\n{_loop}',f'who = rank\n{_loop}'

def lines(who): return [f'{i:06d} {who} '.ljust(width, '.') for i in range(count)]

def heard(text, n):
    "The lines that each of `n` ranks printed, as told by the headings they stand under"
    said,now = [[] for _ in range(n)],range(n)
    for l in text.splitlines():
        if m := re.fullmatch(r'ranks? ([\d,-]+)', l):
            ends = [o.split('-') for o in m[1].split(',')]
            now = [r for o in ends for r in range(int(o[0]), int(o[-1])+1)]
        else:
            for r in now: said[r].append(l)
    return said

def wrong(said, want):
    "How many lines are missing, changed or too many, and ranks whose lines are out of order; all of a rank's lines differ"
    n = 0
    for got,o in zip(said, want):
        have,should = Counter(got),Counter(o)
        n += (should-have).total()+(have-should).total()+([l for l in got if l in should]!=[l for l in o if l in have])
    return n

def measure(ns, runs, wait):
    bad,shown = {},{}
    with ExitStack() as st:
        base = st.enter_context(group(0, plain=True))
        ks = {n:st.enter_context(group(n)) for n in ns}
        def once(name, k, code, *whos):
            r = k.cell(code)
            bad.setdefault(name, []).append(wrong(heard(r.text, len(whos)), map(lines, whos)))
            shown.setdefault(name, []).append(r.text.count('\n')/count)
            return r.shown
        fs = dict(floor=lambda: once('floor', base, plain, '-'))
        for n,k in ks.items():
            fs[f'equal{n}'] = lambda k=k,n=n: once(f'equal{n}', k, plain, *'-'*n)
            fs[f'differing{n}'] = lambda k=k,n=n: once(f'differing{n}', k, differing, *range(n))
        for f in fs.values(): f()
        r = interleave(runs, wait, **fs)
    for n in ns:
        for what in 'equal','differing':
            name = f'{what}{n}'
            yield Row(f'20,000 lines on each of {n} ranks, {what}; floor: in a plain kernel', r[name], r['floor'], ratio=2 if n==2 else None)
            yield Row('… lines lost, changed or added', bad[name], unit='n', most=0)
            if what=='equal': yield Row('… how often each was shown: once, where folding was perfect', shown[name], unit='n')

if __name__=='__main__': main(__doc__, measure, 5)
