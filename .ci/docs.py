"Every page of the site, rendered without Quarto: nbdev processes the notebooks as for Quarto, and pandoc renders them. `make docs` runs it."
import atexit,base64,gc,html,json,mimetypes,os,re,shutil,sys,tempfile,warnings
from pathlib import Path
from urllib.parse import quote
from fastcore.basics import patch
from fastcore.script import call_parse
from nbdev.config import get_config

def text_html(s, kind='stdout'):
    "Text with terminal colors, as HTML"
    from nbconvert.filters import ansi2html
    return f'<pre class="{kind}"><code>{ansi2html(s.rstrip())}</code></pre>'

def raw(s):
    "HTML, as markdown that pandoc leaves alone"
    return f'\n```````{{=html}}\n{s}\n```````\n'

fenced = re.compile(r'\s*```html\n(.*?)\n?```\s*', re.S) # fastprogress sends its table's source as markdown, for those who can't see the table

titled = re.compile(r'<svg [^>]*role="img"[^>]*>\s*<title>(.*?)</title>', re.S)

def figure(s):
    "A drawing, and what it shows below it if it says so itself, as those of lessons do"
    m = titled.match(s)
    return f'<figure>{s}<figcaption>{m[1][:1].upper()+m[1][1:]}</figcaption></figure>' if m else s

def output_md(o):
    "One output, as markdown"
    if 'data' not in o:
        text = o.get('text') if 'text' in o else '\n'.join(o.get('traceback', []))
        return raw(text_html(''.join(text), o.get('name', 'error')))
    d = {k:''.join(v) if isinstance(v,list) else v for k,v in o['data'].items()}
    source = fenced.fullmatch(d.get('text/markdown', ''))
    if 'text/markdown' in d and not source: return '\n'+d['text/markdown']+'\n'
    if source or 'text/html' in d: return raw(d['text/html'] if 'text/html' in d else source[1])
    if 'image/svg+xml' in d: return raw(figure(d['image/svg+xml']))
    for k in 'image/png','image/jpeg':
        if k in d: return raw(f'<img src="data:{k};base64,{"".join(d[k].split())}">')
    return raw(text_html(d.get('text/plain',''), 'result'))

def cell_md(c):
    "One cell, as markdown"
    src = ''.join(c['source'])
    if c['cell_type']=='markdown':
        for nm,bundle in c.get('attachments', {}).items():
            for mime,v in bundle.items(): src = src.replace(f'attachment:{nm}', f'data:{mime};base64,{"".join("".join(v).split())}')
        return re.sub(r'\A(#\|.*\n)+', '', src).strip()+'\n'
    if c['cell_type']!='code': return ''
    opts = dict(re.findall(r'^#\|\s*([\w-]+):\s*(.*)$', src, re.M))
    code = '\n'.join(l for l in src.splitlines() if not l.startswith('#|')).strip('\n')
    if opts.get('include')=='false': return ''
    md = f'```````python\n{code}\n```````\n' if code and opts.get('echo')!='false' else ''
    outs = [] if opts.get('output')=='false' else [output_md(o) for o in c.get('outputs', [])]
    if opts.get('echo')=='false' and any('text/markdown' in o.get('data', {}) for o in c.get('outputs', [])): return md+''.join(outs) # prose, which is made
    if outs and opts.get('output')!='asis': outs = [raw('<div class="cell-output">'), *outs, raw('</div><!-- end of output -->')]
    return md+''.join(outs)

template = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>$pagetitle$$suffix$</title>
$meta$
<style>
$if(highlighting-css)$$highlighting-css$$endif$
$style$
</style>
$if(pages)$<script>
const darks = [...document.styleSheets[0].cssRules].filter(o => o.media?.mediaText.includes('dark')), choices = {auto: '(prefers-color-scheme: dark)', light: 'not all', dark: 'all'}
function theme(choice) { for (const o of [...darks.map(o => o.media), ...document.querySelectorAll('picture source')]) o instanceof MediaList ? o.mediaText = choices[choice] : o.media = choices[choice] }
let themed = 'auto'
try { themed = localStorage.theme in choices ? localStorage.theme : 'auto' } catch {}
theme(themed)
</script>$endif$</head>
<body class="plain">
$if(pages)$<header><a class="home" href="$root$index.html">nbdistributed</a><span class="version">$version$</span>
<search><input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off" data-root="$root$"><ul id="hits"></ul></search>
<button id="theme" title="Light or dark">auto</button><a href="$repo$">GitHub</a></header>
<details class="pages" open><summary>Pages</summary><nav>$pages$</nav></details>
<script>
const narrow = matchMedia('(max-width: 70rem)'), fold = () => document.querySelector('details.pages').open = !narrow.matches
narrow.onchange = fold; fold()
</script><script src="$root$site.js" defer></script>$endif$
<main><h1 class="title">$title$</h1>
$if(description)$<p class="description">$description$</p>$endif$
$if(source)$<p class="source">$source$</p>$endif$
$if(toc)$<details class="contents"><summary>On this page</summary>$toc$</details>$endif$
$body$
$if(around)$<nav class="around">$around$</nav>$endif$
</main>
$if(toc)$<nav class="toc">$toc$</nav>$endif$
</body></html>
"""

icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1a5fb4"/><path d="M3 5h10M3 8h10M3 11h10" stroke="#fff" stroke-width="1.6"/></svg>'

def meta_html(
    title:str,
    description:str,
    url:str='', # Of the site, with a slash at its end; a page that stands alone has none
) -> str: # HTML
    "What a page says about itself to browsers, search engines and chats that show a card of it"
    words = lambda s: html.escape(re.sub(r'[*`]|\]\([^)]*\)|\[(?=[^]]*\]\()', '', s))
    says = dict(description=description or get_config().description) | ({'og:title':title, 'og:image':f'{url}card.png'} if url else {})
    metas = ''.join(f'<meta {"property" if ":" in k else "name"}="{k}" content="{words(v)}">\n' for k,v in says.items())
    return f'{metas}<link rel="icon" href="data:image/svg+xml,{quote(icon)}">'

def source_html(
    nb:str, # The notebook's path below `nbs`
) -> str: # HTML
    "The line under a page's title: its notebook in the repository, and in Colab where it is for readers and `make sync` gave it the cell that installs us there"
    cfg = get_config()
    there = f'{cfg.user}/{cfg.repo}/blob/{cfg.branch}/nbs/{nb}'
    links = {'view source':f'https://github.com/{there}'}
    if on_colab(cfg.nbs_path/nb): links['open in Colab'] = f'https://colab.research.google.com/github/{there}'
    return ' · '.join(f'<a href="{v}">{k}</a>' for k,v in links.items())

colab_id = 'c01ab000' # of the cell that installs us on Colab
def on_colab(f):
    "Does the notebook `f` have the cell that installs us on Colab?"
    return f.exists() and f'"id": "{colab_id}"' in f.read_text(encoding='utf-8')

def page_html(
    nb:dict, # The notebook
    title:str, # Heading of the page
    description:str='', # What stands under it
    pages:str='', # Links to all pages; without them the page stands alone, and has no header
    root:str='', # The way from the page to the site's first folder
    around:str='', # Links to the pages before and after it
    source:str='', # Links to its notebook
    url:str='', # Of the site
) -> str: # HTML
    "A notebook as an HTML page"
    import pypandoc
    md = '\n'.join(map(cell_md, nb['cells']))
    style = (get_config().nbs_path/'styles.css').read_text(encoding='utf-8')
    with tempfile.TemporaryDirectory() as d:
        d = Path(d)
        (d/'page.html').write_text(template, encoding='utf-8')
        (d/'defaults.json').write_text(json.dumps(dict(template=str(d/'page.html'), variables=dict(
            style=style, pages=pages, root=root, repo=get_config().git_url, around=around, source=source, version=get_config().version,
            meta=meta_html(title, description, url), suffix=' – nbdistributed' if pages and title!='nbdistributed' else ''))))
        (d/'meta.json').write_text(json.dumps(dict(title=title, description=description)))
        return pypandoc.convert_text(md, 'html', format='markdown-yaml_metadata_block+autolink_bare_uris+lists_without_preceding_blankline', extra_args=[
            '--standalone', '--toc', '--toc-depth=3', '--mathml', '--wrap=none', f'--metadata-file={d/"meta.json"}', f'--defaults={d/"defaults.json"}'])

class Site:
    "The pages of a site, and the links between them"
    def __init__(self,
        proc:Path, # Where nbdev put the processed notebooks
        dest:Path, # Where the pages go
        url:str, # Where the site will be
    ):
        from fastcore.nbio import cell_frontmatter
        self.proc,self.dest,self.url,self.pages,self.nbs = proc,dest,url.rstrip('/')+'/',{},{}
        for f in sorted(proc.rglob('*.ipynb')):
            nb,rel = json.loads(f.read_text(encoding='utf-8')),f.relative_to(proc)
            fm = next((cell_frontmatter(''.join(c['source'])) for c in nb['cells'] if c['cell_type']=='raw'), {})
            fm['file'] = rel.with_name(fm.get('output-file') or rel.stem+'.html')
            self.pages[rel.as_posix()],self.nbs[rel.as_posix()] = fm,nb

    def to(self, target, here): return Path(os.path.relpath(target, Path(here).parent)).as_posix()

    def sidebar(self, contents, here):
        "Links to all pages, as nested lists"
        def one(o):
            if isinstance(o, dict):
                inside = self.sidebar(o['contents'], here)
                return f'<li class="section"><details{" open" if "class=here" in inside else ""}><summary>{o["section"]}</summary>{inside}</details></li>'
            fm = self.pages[o]
            return f'<li{" class=here" if fm["file"]==here else ""}><a href="{self.to(fm["file"], here)}">{fm.get("title", Path(o).stem)}</a></li>'
        return f'<ul>{"".join(map(one, contents))}</ul>'

@patch
def around(self:Site, contents, here):
    "Links to the pages before and after `here`, in the order of the sidebar's `contents`"
    def flat(os): return [f for o in os for f in (flat(o['contents']) if isinstance(o, dict) else [self.pages[o]])]
    order = flat(contents)
    at = next((i for i,fm in enumerate(order) if fm['file']==here), None)
    if at is None: return ''
    def one(cls, i): return f'<a class="{cls}" href="{self.to(order[i]["file"], here)}">{order[i].get("title", order[i]["file"].stem)}</a>' if 0<=i<len(order) else ''
    return one('before', at-1)+one('after', at+1)

@patch
def sections(self:Site, f):
    "What the search finds of page `f`: `[page's title, heading, address, text]` of each of its sections, without outputs"
    text = (self.dest/f).read_text(encoding='utf-8')
    plain = lambda s: ' '.join(html.unescape(re.sub(r'<[^<>]*>', ' ', re.sub(r'</?(a|span|code|em|strong|b|i)\b[^<>]*>', '', s))).split())
    main = text[text.index('<main>'):].partition('<nav class="around">')[0].partition('</main>')[0]
    main = re.sub(r'<p class="source">.*?</p>|<details class="contents">.*?</details>', '', main, flags=re.S)
    main = re.sub(r'<(style|script)\b.*?</\1>', '', re.sub(r'<div class="cell-output">.*?<!-- end of output -->', '', main, flags=re.S), flags=re.S)
    first,*rest = re.split(r'<h[1-6] [^<>]*?\bid="([^"]+)"[^<>]*>(.*?)</h[1-6]>', main, flags=re.S)
    title,_,first = first.partition('</h1>')
    title = plain(title)
    return [[title, '', f.as_posix(), plain(first)]]+[[title, plain(h), f'{f.as_posix()}#{i}', plain(t)] for i,h,t in zip(*[iter(rest)]*3)]

def weight(f):
    "How early the search names page `f`: reference and how-to first, other pages for readers, then the source, and tests last"
    folder = f.partition('/')[0]
    return 3 if folder in ('start','howto','reference') else 2 if folder in readers or f=='index.html' else 0 if folder in ('tests','testbed') else 1

@patch
def write_search(self:Site, contents):
    "Write what the search looks in, as a script, so that it works from a folder without a server; pages in the sidebar's order"
    order = re.findall(r'href="([^"]+)"', self.sidebar(contents, Path('index.html')))
    index = [[*s, weight(f)] for f in order for s in self.sections(Path(f))]
    (self.dest/'search.js').write_text(f'const searched = {json.dumps(index, ensure_ascii=False)}\n', encoding='utf-8')
    shutil.copy(Path(__file__).with_name('site.js'), self.dest/'site.js')

@patch
def link(self:Site, attr, url, nb, here):
    "What an attribute of the page `here`, made from notebook `nb`, becomes"
    path,_,anchor = url.partition('#')
    if path.startswith(self.url):
        path = self.to(path[len(self.url):] or 'index.html', here)
        if anchor.split('.')[-1].startswith('_'): anchor = '' # nbdev links private names as well, which have no entry on their page
    elif re.match(r'\w+:|//', path) or not path: return url
    elif path.endswith('.ipynb'):
        target = Path(os.path.normpath(Path(nb).parent/path)).as_posix()
        if target in self.pages: path = self.to(self.pages[target]['file'], here)
    elif attr!='href' and (f := self.proc/Path(nb).parent/path).is_file():
        return f'data:{mimetypes.guess_type(f)[0]};base64,{base64.b64encode(f.read_bytes()).decode()}'
    return path+('#'+anchor if anchor else '')

@patch
def write(self:Site, contents):
    "Render every page"
    for nm,fm in self.pages.items():
        here = fm['file']
        root = '../'*(len(here.parts)-1)
        text = page_html(self.nbs[nm], fm.get('title', here.stem), fm.get('description', ''), self.sidebar(contents, here), root, self.around(contents, here), source_html(nm), self.url)
        text = re.sub(r'(<img\b[^<>]*?\bsrc="([^"]*)_light\.png"[^<>]*>)', r'<picture><source media="(prefers-color-scheme: dark)" srcset="\2_dark.png">\1</picture>', text)
        text = re.sub(r'(<[^<>]*?\b)(href|src|srcset)="([^"]*)"', lambda m: f'{m[1]}{m[2]}="{self.link(m[2], m[3], nm, here)}"', text)
        (self.dest/here).parent.mkdir(parents=True, exist_ok=True)
        (self.dest/here).write_text(text, encoding='utf-8')
        print(self.dest/here, flush=True)
    self.write_search(contents)
    self.write_llms()
    self.write_404()
    if (card := get_config().nbs_path/'images/hang_light.png').exists(): shutil.copy(card, self.dest/'card.png') # what a chat shows of a link

@patch
def write_llms(self:Site):
    "Write llms.txt: the pages for readers, one a line, for programs that read the site"
    lines = ['# nbdistributed', '', '> Run every notebook cell on several PyTorch ranks, from one notebook', '']
    for k,v in readers.items():
        fms = [fm for nm,fm in sorted(self.pages.items()) if nm.startswith(k+'/')]
        if fms: lines += [f'## {v}', '', *(f"- [{fm.get('title', fm['file'].stem)}]({self.url}{fm['file'].as_posix()}): {fm.get('description', '')}".rstrip(': ') for fm in fms), '']
    (self.dest/'llms.txt').write_text('\n'.join(lines), encoding='utf-8')

@patch
def write_404(self:Site):
    "Write what GitHub Pages shows at an address where nothing is: its links work from any folder"
    md = f'There is no page at this address. It may have been renamed: look on the [first page]({self.url}index.html), which has a search and the list of all pages.'
    text = page_html(dict(cells=[dict(cell_type='markdown', source=md)]), 'Not found')
    (self.dest/'404.html').write_text(text, encoding='utf-8')

@patch
def nearest(self:Site):
    "Lead links of methods that have no entry of their own, which nbdev makes all the same, to their class"
    files = [fm['file'] for fm in self.pages.values()]
    ids = {f:set(re.findall(r'\bid="([^"]+)"', (self.dest/f).read_text(encoding='utf-8'))) for f in files}
    def one(f, m):
        there = ids.get(Path(os.path.normpath(f.parent/m[1])))
        if there is None or f'{m[2]}.{m[3]}' in there: return m[0]
        return f'href="{m[1]}#{m[2]}"' if m[2] in there else f'href="{m[1]}"'
    for f in files:
        old = (self.dest/f).read_text(encoding='utf-8')
        new = re.sub(r'href="([^"#:]+\.html)#(\w+)\.(\w+)"', lambda m: one(f, m), old)
        if new!=old: (self.dest/f).write_text(new, encoding='utf-8')

@patch
def broken(self:Site):
    "Links from page to page that lead nowhere"
    text = {f:(self.dest/f).read_text(encoding='utf-8') for f in (fm['file'] for fm in self.pages.values())}
    ids = {f:set(re.findall(r'\bid="([^"]+)"', t)) for f,t in text.items()}
    for f,t in text.items():
        for url in set(re.findall(r'<[^<>]*?\b(?:href|src)="([^"]*)"', t)):
            if re.match(r'\w+:|//', url): continue
            path,_,anchor = url.partition('#')
            to = Path(os.path.normpath(f.parent/path)) if path else f
            if not (self.dest/to).is_file() or (anchor and to in ids and anchor not in ids[to]): yield f,url

@patch
def silent(self:Site, nbs):
    "The pages that lack the first paragraph of their notebook"
    return [nm for nm,fm in self.pages.items() if nm in nbs and not says((self.dest/fm['file']).read_text(encoding='utf-8'), opening(nbs[nm]))]

readers = dict(start='Start', course='Course', tutorials='Tutorials', howto='How-to', explanations='Explanations', reference='Reference') # folders for readers, and their names
# How-tos by what they are for; one that is in no group comes after them
groups = dict(howto={'Run and look':'01 02 03 07 12', 'When something goes wrong':'04 05 06', 'Keep and come back':'08 09', 'Several machines':'15 16 17 18 19 20',
    'Trainers':'21 22', 'Set up and teach':'10 11 13 14 23'})
def grouped(folder, contents):
    "The pages of a folder, in its groups"
    number = lambda o: o.rpartition('/')[2].partition('_')[0] if isinstance(o, str) else ''
    res = [dict(section=k, contents=[o for n in v.split() for o in contents if number(o)==n]) for k,v in groups.get(folder, {}).items()]
    inside = [o for s in res for o in s['contents']]
    return [s for s in res if s['contents']]+[o for o in contents if o not in inside]

rooms = 'wire','rank','display','libs','host','kernel','hosts','group','parts','front','testing','testbed' # as the imports go, those inside of `kernel` too
def in_order(contents):
    "The sidebar's `contents` with the pages for readers first, then how it is built: the source by its rooms, and the tests last"
    sections = {o['section']:o for o in contents if isinstance(o, dict)}
    first = [dict(section=v, contents=grouped(k, sections.pop(k)['contents'])) for k,v in readers.items() if k in sections]
    index,*top = [o for o in contents if isinstance(o, str)]
    built = [sections.pop(k) for k in rooms if k in sections]+top+[*sections.values()]
    for o in built: # a room of several is in order, too
        if isinstance(o, dict): o['contents'] = sorted(o['contents'], key=lambda c: rooms.index(c['section']) if isinstance(c, dict) and c['section'] in rooms else -1)
    return [index]+first+[dict(section='How it is built', contents=built)]*bool(built)

def write_sidebar():
    "Write sidebar.yml, which Quarto reads too, and return what it lists"
    import yaml
    from nbdev.quarto import IndentDumper,nbdev_sidebar
    f = get_config().nbs_path/'sidebar.yml'
    nbdev_sidebar.__wrapped__(force=True)
    d = yaml.safe_load(f.read_text(encoding='utf-8'))
    bar = d['website']['sidebar']
    bar['contents'] = in_order(bar['contents'])
    f.write_text(yaml.dump(d, Dumper=IndentDumper, sort_keys=False), encoding='utf-8')
    return bar['contents']

def prose(nb):
    "The markdown cells that a page shows, without their directives: the title's first"
    for c in nb['cells']:
        dirs,src = re.match(r'((?:#\|[^\n]*\n?)*)(.*)', ''.join(c['source']), re.S).groups()
        if c['cell_type']=='markdown' and 'hide' not in dirs: yield src

def title_fault(nb):
    "The first line of a page's title cell that nbdev drops, which is what isn't a title, a subtitle or a `- key: value`; `None` if there is none"
    for l in next(prose(nb), '').splitlines():
        if l.strip() and not re.match(r'# |> ?|- [\w-]+:', l): return l

def letters(s): return re.sub(r'[\W_]+', '', s)
def opening(nb):
    "The letters of the first paragraph under the title; empty if a page has none"
    for block in (b for src in [*prose(nb)][1:] for b in re.split(r'\n\s*\n', src.strip())):
        if re.match(r'```|\||<|:::', block): return ''
        if block and not block.startswith('#'):
            block = re.sub(r'!\[[^\]]*\]\([^)]*\)', '', block.partition('$')[0]) # pictures have no letters, and formulas others
            block = re.sub(r'(?<=\])\([^)\s]+\)', '', block)
            return letters(html.unescape(''.join(b if i%2 else re.sub(r'</?[a-z][^<>]*>', '', b) for i,b in enumerate(re.split('(`[^`]*`)', block))))) # tags, but not those in code
    return ''

def says(text, letters_):
    "Are these letters in the HTML page `text`?"
    text = re.sub(r'<(style|script)\b.*?</\1>', '', text, flags=re.S)
    return letters_ in letters(html.unescape(re.sub(r'<[^<>]*>', '', text)))

def docs(
    dest:str='_site', # Where the pages go
):
    "Process the notebooks as `nbdev-docs` does, then render every page with pandoc; exit with 1 if a link is broken, or if a page lacks what its notebook says first"
    from nbdev.doclinks import nbglob
    from nbdev.quarto import refresh_quarto_yml
    from nbdev.serve import proc_nbs
    cfg = get_config()
    refresh_quarto_yml()
    contents = write_sidebar()
    nbs = {f.relative_to(cfg.nbs_path).as_posix():json.loads(f.read_text(encoding='utf-8')) for f in nbglob(as_path=True)}
    if bad := [f'{nm}: {l}' for nm,nb in nbs.items() if (l := title_fault(nb))]:
        sys.exit('\n'.join(["the docs can't be built, since nbdev drops what these title cells say beyond a title, a subtitle and `- key: value`. Put it into a cell of its own:", *bad]))
    shutil.rmtree(dest, ignore_errors=True)
    warnings.filterwarnings('ignore', 'Found cells containing imports') # it would show each such cell; one that fails is an error all the same
    atexit.register(gc.unfreeze) # comes after what is registered later, as the shells' ends are
    try: proc = Path(proc_nbs(n_workers=0))
    except Exception as e: sys.exit(f"the docs can't be built, since {e}") # nbdev's own words name the notebook and show the cell
    site = Site(proc, Path(dest), cfg.doc_host+cfg.doc_baseurl)
    site.write(contents)
    site.nearest()
    bad = [f'broken link in {f}: {url}' for f,url in sorted(site.broken())]
    bad += [f'{site.pages[nm]["file"]} lacks the first paragraph of {nm}' for nm in site.silent(nbs)]
    for o in bad: print(o)
    print(f'{len(site.pages)} pages: open {Path(dest).absolute()/"index.html"}', flush=True)
    gc.freeze() # when this process ends, the shell of each page looks for garbage, half a second each; once is enough
    if bad: sys.exit(1)

if __name__=='__main__': call_parse(docs)
