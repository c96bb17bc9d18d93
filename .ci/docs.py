"Every page of the site, rendered without Quarto: nbdev processes the notebooks as for Quarto, and pandoc renders them. `make docs` runs it."
import base64,json,mimetypes,os,re,shutil,sys,tempfile
from pathlib import Path
from fastcore.basics import patch
from fastcore.script import call_parse
from nbdev.config import get_config

def text_html(s, kind='stdout'):
    from nbconvert.filters import ansi2html
    return f'<pre class="{kind}"><code>{ansi2html(s.rstrip())}</code></pre>'

def raw(html): return f'\n```````{{=html}}\n{html}\n```````\n'

def output_md(o):
    "One output, as markdown"
    if 'data' not in o:
        text = o.get('text') if 'text' in o else '\n'.join(o.get('traceback', []))
        return raw(text_html(''.join(text), o.get('name', 'error')))
    d = {k:''.join(v) if isinstance(v,list) else v for k,v in o['data'].items()}
    if 'text/markdown' in d: return '\n'+d['text/markdown']+'\n'
    if 'text/html' in d: return raw(d['text/html'])
    if 'image/svg+xml' in d: return raw(d['image/svg+xml'])
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
    if outs and opts.get('output')!='asis': outs = [raw('<div class="cell-output">'), *outs, raw('</div>')]
    return md+''.join(outs)

template = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>$pagetitle$</title>
<style>
$if(highlighting-css)$$highlighting-css$$endif$
$style$
</style></head>
<body class="plain">
$if(pages)$<nav class="pages">$pages$</nav>$endif$
<main><h1 class="title">$title$</h1>
$if(description)$<p class="description">$description$</p>$endif$
$body$
</main>
$if(toc)$<nav class="toc">$toc$</nav>$endif$
</body></html>
"""

def page_html(nb, title, description='', pages=''):
    "A notebook as an HTML page"
    import pypandoc
    md = '\n'.join(map(cell_md, nb['cells']))
    style = (get_config().nbs_path/'styles.css').read_text(encoding='utf-8')
    with tempfile.TemporaryDirectory() as d:
        d = Path(d)
        (d/'page.html').write_text(template, encoding='utf-8')
        (d/'defaults.json').write_text(json.dumps(dict(variables=dict(style=style, pages=pages), template=str(d/'page.html'))))
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
            if isinstance(o, dict): return f"<li class=\"section\">{o['section']}{self.sidebar(([o['href']] if 'href' in o else [])+o['contents'], here)}</li>"
            fm = self.pages[o]
            return f'<li{" class=here" if fm["file"]==here else ""}><a href="{self.to(fm["file"], here)}">{fm.get("title", Path(o).stem)}</a></li>'
        return f'<ul>{"".join(map(one, contents))}</ul>'

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
    elif attr=='src' and (f := self.proc/Path(nb).parent/path).is_file():
        return f'data:{mimetypes.guess_type(f)[0]};base64,{base64.b64encode(f.read_bytes()).decode()}'
    return path+('#'+anchor if anchor else '')

@patch
def write(self:Site, contents):
    "Render every page"
    for nm,fm in self.pages.items():
        here = fm['file']
        html = page_html(self.nbs[nm], fm.get('title', here.stem), fm.get('description', ''), self.sidebar(contents, here))
        html = re.sub(r'(<[^<>]*?\b)(href|src)="([^"]*)"', lambda m: f'{m[1]}{m[2]}="{self.link(m[2], m[3], nm, here)}"', html)
        (self.dest/here).parent.mkdir(parents=True, exist_ok=True)
        (self.dest/here).write_text(html, encoding='utf-8')
        print(self.dest/here, flush=True)

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

readers = 'course','tutorials','explanations' # folders of pages for readers, which come first in the list of pages
def in_order(contents):
    "The sidebar's `contents` with the pages for readers before the source, and the tests last"
    sections = {o['section']:o for o in contents if isinstance(o, dict)}
    first = [sections.pop(k) for k in readers if k in sections]
    source = [o for o in contents if isinstance(o, str)]
    return source[:1]+first+[dict(section='source', contents=source[1:])]+[*sections.values()]

def docs(
    dest:str='_site', # Where the pages go
):
    "Process the notebooks as `nbdev-docs` does, then render every page with pandoc; exit with 1 if a link is broken"
    import yaml
    from nbdev.quarto import nbdev_sidebar,refresh_quarto_yml
    from nbdev.serve import proc_nbs
    cfg = get_config()
    refresh_quarto_yml()
    nbdev_sidebar.__wrapped__()
    shutil.rmtree(dest, ignore_errors=True)
    try: proc = Path(proc_nbs(n_workers=0))
    except Exception as e: sys.exit(f"the docs can't be built, since {e}") # nbdev's own words name the notebook and show the cell
    site = Site(proc, Path(dest), cfg.doc_host+cfg.doc_baseurl)
    site.write(in_order(yaml.safe_load((cfg.nbs_path/'sidebar.yml').read_text())['website']['sidebar']['contents']))
    bad = sorted(site.broken())
    for f,url in bad: print(f'broken link in {f}: {url}')
    print(f'{len(site.pages)} pages: open {Path(dest).absolute()/"index.html"}')
    if bad: sys.exit(1)

if __name__=='__main__': call_parse(docs)
