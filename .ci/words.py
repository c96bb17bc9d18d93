"What pages for readers and messages hold to: the word list, code of 80 columns, no page that says the opposite of the product. `make words` fails on what is new; `make check` runs it."
import ast,json,re,sys
from pathlib import Path
from fastcore.script import call_parse

# What not to write, and what to write instead
avoid = {r'\bfor ever\b':'forever', r'\bof before\b':'previous', r'\bbe had\b':'available', r'\bbelongs? into\b':'in', r'\bmade anew\b':'generated',
    r'\b[Ww]ithout more ado\b':'by default', r'\bof one mind\b':'in agreement', r'\bin neither direction\b':'not shared', r'\bstands? once\b':'is shown once',
    r'\bformed? again\b':'rebuild', r'\bhears? (?:nothing )?of\b':'hear from', r'\bspeaks? up\b':'respond', r'\bmend(?:s|ed|ing)?\b':'fix, repair', r'\btakes? it back\b':'cancel', r'\bin the place of\b':'instead of, or replace',
    r'\bheard of\b':'responded', r'\bgo(?:es)? on being\b':'still', r'\b(?:page|table|message|line|note|notebook|cell|rank|error|column|prompt|host|output)s? (?:say|says|said)\b':'shows, names, prints or reports',
    (spelling := r'(?i:(?<![-.])(?:(?:initial|synchron|optim|serial|normal|recogn|final|token)is(?=[aei])|behaviour|colour|neighbour|favour|licence|\blabelled|\bsignalled|\bcancelled))'):'American spelling, as in PyTorch'}
# Where they may stay: the file or module, the reason, and at most how many
allowed = {'course/':('the lessons are rewritten in their own issue', 5)}

# What a page may only say if it is so; each place is named here, with the reason
opposite = r"\bisn't (?:yet )?available\b|\bnot (?:\w+ )?yet\b|\byet not\b|\bonly (?:starts ranks )?on (?:this|the notebook's own) machine\b|\bown machine only\b"
true = {'explanations/speed_up':'the lessons were not measured on GPUs', 'course/09':'a file of an exercise', 'course/07':'what DDP does in its first step'}
# Columns of code: what a laptop shows beside the sidebar
columns = 80

def prose(f):
    "The text of a notebook's markdown cells, without code"
    cells = json.loads(f.read_text(encoding='utf-8'))['cells']
    text = '\n\n'.join(''.join(c['source']) for c in cells if c['cell_type']=='markdown')
    return re.sub(r'```.*?```|`[^`\n]*`|\]\([^)]*\)|<svg.*?</svg>', '', text, flags=re.S)

def code(f):
    "The lines of code that a page shows: of its cells, and of blocks in its text"
    for c in json.loads(f.read_text(encoding='utf-8'))['cells']:
        s = ''.join(c['source'])
        if c['cell_type']=='markdown': s = ''.join(re.findall(r'^ *```[^\n]*\n(.*?)^ *```', s, re.S|re.M))
        if not re.search(r'^#\| *(?:hide\b|include: *false|echo: *false)', s, re.M): yield from (l for l in s.splitlines() if not l.startswith('#|'))

def sources(root):
    "Name and text of each notebook's cells, code and comments too; for the spelling"
    for f in sorted((root/'nbs').rglob('*.ipynb')):
        name = f.relative_to(root/'nbs').as_posix()
        if name!='tests/words.ipynb': yield name, '\n'.join(''.join(c['source']) for c in json.loads(f.read_text(encoding='utf-8'))['cells'])

def messages(f):
    "What a module shows: its texts that are raised, printed or are the help of an option"
    for n in ast.walk(ast.parse(f.read_text(encoding='utf-8'))):
        shown = isinstance(n, ast.Raise) and n.exc or isinstance(n, ast.Call) and (getattr(n.func, 'id', '') in ('print','argument') or getattr(n.func, 'attr', '') in ('say','note')) and n
        if shown: yield from (o.value for o in ast.walk(shown) if isinstance(o, ast.Constant) and isinstance(o.value, str))

def pages(root):
    "Name and file of each page for readers"
    for d in 'start','course','tutorials','howto','explanations','reference','index.ipynb':
        for f in sorted([root/'nbs'/d] if d.endswith('.ipynb') else (root/'nbs'/d).rglob('*.ipynb')): yield f.relative_to(root/'nbs').as_posix(), f

def texts(root):
    "Name and text of each page for readers and of each module's messages"
    for name,f in pages(root): yield name, prose(f)
    yield 'troubles', (root/'nbdistributed/display/troubles.md').read_text(encoding='utf-8')
    for f in sorted((root/'nbdistributed').rglob('*.py')):
        if not {'testbed','testing'} & set(f.parts): yield f.relative_to(root).as_posix(), '\n'.join(messages(f))

# What the first look counted in 36,600 words of 66 pages for readers, to see where it goes: none of it is an error by itself
measured = {'things that say':(r'\b(?:says?|said|saying)\b',107), 'come':(r'\b(?:comes?|came|coming)\b',79), 'output that stands':(r'\b(?:stands?|stood|standing)\b',46),
    'What …, Who …, Where … as a sentence':(r'(?:^|(?<=[.:;] ))(?:What|Who|Where) (?!is\b|are\b|does\b|do\b|did\b|can\b|should\b|would\b|will\b|has\b)[^.?!\n]*[.](?=\s|$)',94),
    'there is':(r'\b[Tt]here (?:is|are)\b|\b[Tt]here\'s\b',32), 'hear':(r'\b(?:hears?|heard|hearing)\b',13), 'form again':(r'\bform(?:s|ed)? again\b',13),
    'behind':(r'\bbehind\b',12), 'in the place of':(r'\bin the place of\b',10), 'mend':(r'\bmend(?:s|ed|ing)?\b',6)}
def counts(root):
    "How often `measured` is in pages for readers, and in how many words; the course has pages that the first look did not"
    texts = {name:prose(f) for name,f in pages(root)}
    text = '\n'.join(texts.values())
    return {k:len(re.findall(p, text, re.M)) for k,(p,_) in measured.items()},len(text.split()),len(texts)

def found(text): return [(m[0],instead) for p,instead in avoid.items() for m in re.finditer(p, text)]

def faults(root):
    "Lines of code that are too wide, and what says the opposite of the product"
    for name,f in pages(root):
        yield from (f'{name}: {len(l)} columns of code, and at most {columns} are shown: {l.strip()}' for l in code(f) if len(l)>columns)
        if not name.startswith(tuple(true)): yield from (f'{name}: {m[0]!r}: is that so? then name the page in {Path(__file__).name}' for m in re.finditer(opposite, prose(f)))
    for name,text in sources(root): yield from (f'{name}: {text[max(0, m.start()-12):m.end()+8]!r}: write {avoid[spelling]}' for m in re.finditer(spelling, text) if not m[0].isupper())

def words(
    root:str='.', # Of the checkout
):
    "Count the words, print how often others are on pages for readers, and exit with 1 if one is where it may not be, or a page has another fault"
    bad,held = [*faults(Path(root))],{}
    for name,text in texts(Path(root)):
        if not (hits := found(text)): continue
        if k := next((k for k in allowed if name.startswith(k)), None): held[k] = held.get(k, 0)+len(hits)
        else: bad += [f'{name}: {w!r}: write {instead}' for w,instead in hits]
    bad += [f'{k}: {n} such words, and at most {allowed[k][1]} are allowed' for k,n in held.items() if n>allowed[k][1]]
    for o in bad: print(o)
    print(f"{len(bad)} places to change; left alone: {', '.join(f'{k} {n} ({allowed[k][0]})' for k,n in held.items()) or 'none'}")
    now,n,k = counts(Path(root))
    print(f"counted in {n:,} words of {k} pages for readers, and for 10,000 words (at the first look):")
    for o,i in now.items(): print(f"  {o:38} {i:4}  {1e4*i/(n or 1):5.1f} ({1e4*measured[o][1]/36600:.1f})")
    if bad: sys.exit(1)

if __name__=='__main__': call_parse(words)
