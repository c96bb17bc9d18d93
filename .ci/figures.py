"Figures of the source: how much there is, its longest cells and lines, what has no docstring, which private names of other libraries it uses. `make figures` prints them."
import ast,re
from collections import Counter
from pathlib import Path
from fastcore.script import call_parse

protocols = re.compile(r'__\w+__|_repr_\w+_|_ipython_\w+_|_render_traceback_|_(replace|asdict|fields|make|exit|getframe|current_frames|MEIPASS)') # underscored, and documented all the same

def sources(
    lib, # The package's folder
)->dict: # Each module's name, and its exported cells: id and text
    "The exported cells of each page"
    def cells(f):
        parts = re.split(r'^# %% \S+ #(\w+)\n', f.read_text(encoding='utf-8'), flags=re.M)
        return list(zip(parts[1::2], (o.rstrip() for o in parts[2::2])))
    lib = Path(lib)
    return {'.'.join(f.relative_to(lib).with_suffix('').parts):cells(f) for f in sorted(lib.rglob('*.py')) if f.name!='_modidx.py'}

def size(text): return sum(bool(l.strip()) for l in text.splitlines())
def room(m): return m.partition('.')[0] if '.' in m else 'top'

def undocumented(tree):
    "Public functions, classes and methods without a docstring"
    def walk(body, prefix=''):
        for n in body:
            if isinstance(n, (ast.FunctionDef,ast.AsyncFunctionDef,ast.ClassDef)) and not n.name.startswith('_'):
                if ast.get_docstring(n) is None: yield prefix+n.name
                if isinstance(n, ast.ClassDef): yield from walk(n.body, f'{n.name}.')
    return [*walk(tree.body)]

def ours(trees):
    "All underscored names that the package itself defines: as a function, variable, parameter, attribute, field or key"
    res = set()
    for n in (n for t in trees for n in ast.walk(t)):
        if isinstance(n, (ast.FunctionDef,ast.AsyncFunctionDef,ast.ClassDef)): res.add(n.name)
        elif isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store): res.add(n.id)
        elif isinstance(n, ast.arg): res.add(n.arg)
        elif isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and isinstance(n.value, ast.Name) and n.value.id in ('self','cls','g','h'): res.add(n.attr)
        elif isinstance(n, ast.keyword) and n.arg: res.add(n.arg)
    return res

def borrowed(tree, own):
    "Private names of other libraries: imported, taken as an attribute, or asked for by `getattr`, with the line of each"
    def private(s): return isinstance(s, str) and re.fullmatch(r'_(?!nbd_)[A-Za-z]\w*', s) and not protocols.fullmatch(s)
    for n in ast.walk(tree):
        if isinstance(n, ast.ImportFrom) and not n.level and not (n.module or '').startswith(('nbdistributed','__future__')):
            yield from ((a.name, f'from {n.module} import {a.name}') for a in n.names if private(a.name))
            yield from ((o, f'from {n.module}') for o in (n.module or '').split('.') if private(o))
        elif isinstance(n, ast.Import): yield from ((o, f'import {a.name}') for a in n.names for o in a.name.split('.') if private(o))
        elif isinstance(n, ast.Attribute) and private(n.attr) and n.attr not in own: yield n.attr, ast.unparse(n)
        elif isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in ('getattr','hasattr','setattr','delattr','private') and len(n.args)>1:
            if isinstance(n.args[1], ast.Constant) and private(o := n.args[1].value) and o not in own: yield o, ast.unparse(n)

def methods(trees):
    "Each class and its methods, those that are patched onto it on other pages too: the largest first"
    n = Counter()
    for t in trees:
        for o in t.body:
            if isinstance(o, ast.ClassDef): n[o.name] += sum(isinstance(m, ast.FunctionDef) for m in o.body)
            elif isinstance(o, ast.FunctionDef) and o.args.args and any('patch' in ast.unparse(d) for d in o.decorator_list):
                if (a := o.args.args[0].annotation) is not None: n[ast.unparse(a)] += 1
    return n.most_common()

def public(trees):
    "How many functions and classes of these modules have no underscore"
    return sum(isinstance(n, (ast.FunctionDef,ast.ClassDef)) and not n.name.startswith('_') and not any('patch' in ast.unparse(d) for d in n.decorator_list) for t in trees for n in t.body)

def wing(m): return '.'.join(m.split('.')[:2 if m.startswith('kernel.') else 1]) if '.' in m else 'top' # a room; the kernel has four

def leads(m, tree, names):
    "The modules, of `names`, that module `m` imports"
    types = {id(o) for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test)=='TYPE_CHECKING' for o in n.body} # which never runs
    for n in ast.walk(tree):
        if not isinstance(n, ast.ImportFrom) or id(n) in types: continue
        base = m.split('.')[:-n.level] if n.level else []
        mod = '.'.join([*base, *(n.module or '').split('.')]).strip('.').removeprefix('nbdistributed.')
        for a in n.names:
            if (o := f'{mod}.{a.name}') in names or (o := mod) in names: yield o

def shape(trees)->dict: # Room to its public names, floors, and how many arrows lead from it to which rooms
    "What the rooms look like from outside: a page stands one floor above the highest page of its room that it imports"
    to = {m:{*leads(m, t, trees)}-{m} for m,t in trees.items()}
    def floor(m): return 1+max((floor(o) for o in to[m] if wing(o)==wing(m)), default=0)
    return {w:dict(names=public([t for m,t in trees.items() if wing(m)==w]), floors=max(floor(m) for m in trees if wing(m)==w),
        to=Counter(wing(o) for m in trees if wing(m)==w for o in to[m] if wing(o)!=w)) for w in dict.fromkeys(map(wing, trees))}

homes = re.compile(r'wire\.\w+_private|libs\.\w+|display\.\w+') # pages that may use private names; those of rooms `libs` and `display`: of the library that they are about

def astray(
    d, # From `figures`
)->list: # Name, and where it is
    "Private names of other libraries outside of the pages that keep them"
    return [(o,how) for o,how in d['borrowed'] if not homes.fullmatch(how.partition(':')[0])]

def figures(
    lib='nbdistributed', # The package's folder
)->dict: # `lines`: by room; `longest`, `wide`, `undocumented`, `borrowed`: what was found, the worst first
    "Measure the package"
    src = sources(lib)
    trees = {m:ast.parse('\n'.join(s for _,s in cs)) for m,cs in src.items()}
    own,lines = ours(trees.values()),Counter()
    for m,cs in src.items(): lines[room(m)] += sum(size(s) for _,s in cs)
    cells = sorted(((size(s), f'{m} #{i}') for m,cs in src.items() for i,s in cs), reverse=True)
    wide = sorted(((len(l), f'{m} #{i}: {l.strip()[:60]}…') for m,cs in src.items() for i,s in cs for l in s.splitlines() if len(l)>140), reverse=True)
    nodoc = [f'{m}.{o}' for m,t in trees.items() for o in undocumented(t)]
    names = Counter((o, f'{m}: {how}') for m,t in trees.items() for o,how in borrowed(t, own))
    return dict(lines=dict(lines), shape=shape(trees), classes=methods(trees.values()), longest=cells, wide=wide, undocumented=nodoc, borrowed=sorted(names))

def numbers(
    d:dict, # From `figures`
)->dict: # A number for each, the smaller the better
    "What is to be compared with the numbers of another day"
    return dict(longest=d['longest'][0][0], largest_class=d['classes'][0][1], over_25=sum(n>25 for n,_ in d['longest']), wide=len(d['wide']), undocumented=len(d['undocumented']), borrowed=len({o for o,_ in d['borrowed']}))

def show(
    all:bool=False, # List what was found, too?
):
    "Print the figures of the package"
    d = figures(Path(__file__).parents[1]/'nbdistributed')
    n = numbers(d)
    lines = dict(sorted(d['lines'].items(), key=lambda o: -o[1]))
    ours = lines.pop('testbed') # the wheel doesn't have it
    print(f"exported lines: {sum(lines.values())} ("+', '.join(f'{k} {v}' for k,v in lines.items())+f'), and {ours} for our own tests')
    for w,o in d['shape'].items():
        print(f"  {w:13} {o['names']:4} public names, {o['floors']} floor{'s'*(o['floors']>1)}"+(f", leads to {', '.join(f'{k} ({n})' for k,n in o['to'].most_common())}" if o['to'] else ''))
    print('largest classes:', ', '.join(f'{k} ({n} methods)' for k,n in d['classes'][:6]))
    print(f"longest export cell: {n['longest']} lines, {d['longest'][0][1]}; {n['over_25']} of {len(d['longest'])} have more than 25")
    print(f"lines over 140 columns: {n['wide']}")
    print(f"public names without docstring: {n['undocumented']}")
    print(f"private names of other libraries: {n['borrowed']}")
    if not all: return
    for k in 'wide','undocumented','borrowed': print(f'\n{k}:', *(f'  {o}' for o in d[k]), sep='\n')
    print('\nlongest cells:', *(f'  {a:4} {b}' for a,b in d['longest'] if a>25), sep='\n')

if __name__=='__main__': call_parse(show)
