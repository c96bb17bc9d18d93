"The word list: words that pages for readers and messages don't use. `make words` counts them and fails on one that is new; `make check` runs it."
import ast,json,re,sys
from pathlib import Path
from fastcore.script import call_parse

# What not to write, and what to write instead
avoid = {r'\bfor ever\b':'forever', r'\bof before\b':'previous', r'\bto be had\b':'available', r'\bbelongs? into\b':'in', r'\bmade anew\b':'generated',
    r'\b[Ww]ithout more ado\b':'by default', r'\bof one mind\b':'in agreement', r'\bin neither direction\b':'not shared', r'\bstands? once\b':'is shown once',
    r'\bformed? again\b':'rebuild', r'\bhears? (?:nothing )?of\b':'hear from', r'\bspeaks? up\b':'respond', r'\bmend(?:s|ed|ing)?\b':'fix, repair', r'\btakes? it back\b':'cancel',
    r'initialis|synchronis|optimis|serialis|normalis|recognis|behaviour|(?<![-\w.])colour|neighbour|favour|licence|\blabelled|\bcancelled':'American spelling, as in PyTorch'}
# Where they may stay: the file or module, the reason, and at most how many
allowed = {
    'course/': ('the lessons are rewritten in their own issue', 40),
    'howto/15': ('page of several machines, rewritten with it', 5), 'howto/16': ('as howto/15', 5), 'howto/17': ('as howto/15', 5), 'howto/18': ('as howto/15', 5),
    'explanations/several_machines': ('as howto/15', 10), 'explanations/on_gpus': ('rewritten when it has been run on GPUs', 10), 'explanations/comparison': ('rows are added by others', 5)}

def prose(f):
    "The text of a notebook's markdown cells, without code"
    cells = json.loads(f.read_text(encoding='utf-8'))['cells']
    text = '\n\n'.join(''.join(c['source']) for c in cells if c['cell_type']=='markdown')
    return re.sub(r'```.*?```|`[^`\n]*`|\]\([^)]*\)|<svg.*?</svg>', '', text, flags=re.S)

def messages(f):
    "What a module shows: its texts that are raised, printed or are the help of an option"
    for n in ast.walk(ast.parse(f.read_text(encoding='utf-8'))):
        shown = isinstance(n, ast.Raise) and n.exc or isinstance(n, ast.Call) and (getattr(n.func, 'id', '') in ('print','argument') or getattr(n.func, 'attr', '') in ('say','note')) and n
        if shown: yield from (o.value for o in ast.walk(shown) if isinstance(o, ast.Constant) and isinstance(o.value, str))

def texts(root):
    "Name and text of each page for readers and of each module's messages"
    for d in 'start','course','tutorials','howto','explanations','reference':
        for f in sorted((root/'nbs'/d).rglob('*.ipynb')): yield f.relative_to(root/'nbs').as_posix(), prose(f)
    yield 'index', prose(root/'nbs/index.ipynb')
    yield 'troubles', (root/'nbdistributed/display/troubles.md').read_text(encoding='utf-8')
    for f in sorted((root/'nbdistributed').rglob('*.py')):
        if not {'testbed','testing'} & set(f.parts): yield f.relative_to(root).as_posix(), '\n'.join(messages(f))

def found(text): return [(m[0],instead) for p,instead in avoid.items() for m in re.finditer(p, text)]

def words(
    root:str='.', # Of the checkout
):
    "Count the words, and exit with 1 if one stands where it may not"
    bad,held = [],{}
    for name,text in texts(Path(root)):
        if not (hits := found(text)): continue
        if k := next((k for k in allowed if name.startswith(k)), None): held[k] = held.get(k, 0)+len(hits)
        else: bad += [f'{name}: {w!r}: write {instead}' for w,instead in hits]
    bad += [f'{k}: {n} such words, and at most {allowed[k][1]} are allowed' for k,n in held.items() if n>allowed[k][1]]
    for o in bad: print(o)
    print(f"{len(bad)} words to replace; left alone: {', '.join(f'{k} {n} ({allowed[k][0]})' for k,n in held.items()) or 'none'}")
    if bad: sys.exit(1)

if __name__=='__main__': call_parse(words)
