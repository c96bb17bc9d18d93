"Clean the notebooks and write everything that is made from them; fail if that changed a file. `make sync` runs it."
import ast,configparser,json,os,re,shutil,sys
from hashlib import sha256
from pathlib import Path
from docs import colab_id,write_sidebar
from fastcore.script import call_parse
from nbdistributed.testing.kernel import strip_ansi

def readme(
    nb, # The index page
    url:str, # Of the site, for links to other pages
)->str: # Markdown
    "The index page as README.md"
    def to_site(m): # as nbdev names pages: without the number
        p,_,anchor = m[1].partition('#')
        p = Path(p).with_name(re.sub(r'^\d+[a-zA-Z0-9]*_', '', Path(p).name)).with_suffix('.html').as_posix()
        return f"]({url}{p}{'#'+anchor if anchor else ''})"
    def picture(m): # which GitHub shows in the reader's colors
        return f'<picture><source media="(prefers-color-scheme: dark)" srcset="nbs/images/{m[2]}_dark.png"><img alt="{m[1]}" src="nbs/images/{m[2]}_light.png"></picture>'
    def one(c):
        dirs,src = re.match(r'\A((?:#\|[^\n]*\n?)*)(.*)', ''.join(c['source']), re.S).groups()
        if 'hide' in dirs or 'default_exp' in dirs or c['cell_type']=='raw': return ''
        if c['cell_type']=='markdown': return re.sub(r'!\[([^]]*)\]\(images/(\w+)_light\.png\)', picture, re.sub(r'\]\(([^):]+\.ipynb[^)]*)\)', to_site, src.strip()))
        texts = [''.join(o.get('text') or o.get('data',{}).get('text/plain','')) for o in c['outputs']]
        return f'```python\n{src.strip()}\n```'+''.join('\n\n    '+strip_ansi(t).rstrip().replace('\n','\n    ') for t in texts)
    return '<!-- Made from nbs/index.ipynb by `make sync`: edit that -->\n\n'+'\n\n'.join(filter(None, map(one, nb['cells'])))+'\n'

def generated(cfg):
    "Hashes of all files that `sync` may write"
    fs = [*cfg.nbs_path.rglob('*.ipynb'), *cfg.nbs_path.glob('*.yml'), *cfg.lib_path.rglob('*.py'), cfg.config_path/'README.md']
    return {f:sha256(f.read_bytes()).hexdigest() for f in fs if f.exists() and '.ipynb_checkpoints' not in f.parts}

def run_shown(nb):
    "Run the cells of which a page shows only what they make, `#| echo: false`, and put that in as their output"
    ns = {}
    for c in nb['cells']:
        src = ''.join(c['source'])
        if c['cell_type']!='code' or not re.match(r'#\| *echo: *false', src): continue
        *body,last = ast.parse(src).body
        if not isinstance(last, ast.Expr): body,last = [*body,last],None
        exec(compile(ast.Module(body, []), '<page>', 'exec'), ns)
        made = last and eval(compile(ast.Expression(last.value), '<page>', 'eval'), ns)
        if not hasattr(made, '_repr_markdown_'): continue
        data = {'text/markdown':made.data.splitlines(True), 'text/plain':[repr(made)]}
        c['outputs'] = [dict(data=data, execution_count=None, metadata={}, output_type='execute_result')]

def for_colab(
    nb, # Of a lesson, which is changed
    url:str, # Of the repository
):
    "Put the cell in that installs us on Colab, before the first one that runs, if that loads us; it is hidden on the site, and does nothing elsewhere"
    published = '/OWNER/' not in url # before that there is no address, and a student reads what to do
    missing = "'Upload the wheel of nbdistributed into this folder first'"
    how = f"wheels.append('git+{url}')" if published else f'assert wheels, {missing}'
    source = f"""#| hide
#| eval: false
# On Colab: from a wheel beside this notebook{', or from the repository' if published else ''}.
# Elsewhere this does nothing
import glob, sys
if 'google.colab' in sys.modules:
    wheels = glob.glob('nbdistributed-*.whl')
    {how}
    %pip install -q {{wheels[0]}}"""
    cells = [c for c in nb['cells'] if c['id']!=colab_id]
    code = [(i,''.join(c['source'])) for i,c in enumerate(cells) if c['cell_type']=='code']
    seen = next((s for _,s in code if not s.startswith('#| hide')), '') # before it may be a folded cell, such as one that goes to a new folder
    if not seen.startswith('%load_ext nbdistributed'): return
    at = code[0][0]
    cells.insert(at, dict(cell_type='code', execution_count=None, id=colab_id, metadata=dict(jupyter=dict(source_hidden=True)), outputs=[], source=source.splitlines(True)))
    nb['cells'] = cells

def at_home(
    root:Path, # The project's folder
)->list: # The files that are changed
    "Where `user` in settings.ini isn't the one of pyproject.toml, which nbdev reads, write the new addresses of repository and site wherever the old ones are"
    ini = configparser.ConfigParser(); ini.read(root/'settings.ini', encoding='utf-8')
    project = root/'pyproject.toml'
    old = re.search(r'"https://github\.com/([^/"]+)/([^/"]+)"', project.read_text(encoding='utf-8')) if project.exists() else None
    user = ini['DEFAULT'].get('user')
    if old is None or user is None or old[1]==user: return []
    fs = [*root.glob('*.*'), *(root/'nbs').rglob('*.*'), *(root/'nbdistributed').rglob('*.md'), *(root/'.github').rglob('*.*'), *(root/'bench').glob('*.md')]
    res = []
    for f in sorted(o for o in fs if o.suffix in ('.ipynb','.md','.yml','.yaml','.cff','.toml')):
        text = new = f.read_text(encoding='utf-8')
        if old[1]=='OWNER': new = new.replace(' (`OWNER` is its account on GitHub)', '')
        for a in f'github.com/{{}}/{old[2]}',f'{{}}.github.io/{old[2]}': new = new.replace(a.format(old[1]), a.format(user))
        if new!=text: f.write_text(new, encoding='utf-8'); res.append(f)
    return res

def sync():
    "Clean the notebooks, write everything that is generated, and exit with 1 if that changed a file"
    from nbdev.clean import nbdev_clean
    from nbdev.config import get_config
    from nbdev.doclinks import nbdev_export
    from nbdev.quarto import refresh_quarto_yml
    moved = at_home(Path.cwd())
    cfg = get_config()
    before = generated(cfg)
    shutil.copyfile(cfg.config_path/'_quarto.yml', cfg.nbs_path/'_quarto.yml') # Quarto reads this one; people look for the other
    nbdev_clean.__wrapped__()
    nbdev_export.__wrapped__()
    for f in sorted(o for d in ('reference','start','course','tutorials') for o in (cfg.nbs_path/d).rglob('*.ipynb')):
        nb = json.loads(f.read_text(encoding='utf-8'))
        if f.parent.name=='reference': run_shown(nb) # made from the package, which has just been exported
        else: for_colab(nb, cfg.git_url)
        f.write_text(json.dumps(nb, indent=1, ensure_ascii=False, sort_keys=True)+'\n', encoding='utf-8')
    refresh_quarto_yml()
    write_sidebar()
    text = readme(json.loads((cfg.nbs_path/cfg.readme_nb).read_text(encoding='utf-8')), cfg.doc_host+cfg.doc_baseurl.rstrip('/')+'/')
    (cfg.config_path/'README.md').write_text(text, encoding='utf-8')
    after = generated(cfg)
    changed = sorted(os.path.relpath(f, cfg.config_path) for f in before.keys()|after.keys() if before.get(f)!=after.get(f) or f in moved)
    for f in changed: print(f'written anew: {f}')
    if changed: sys.exit('The files above were out of date and are right now: look at them and commit them.')
    print(f'{len(after)} files are in step')

if __name__=='__main__': call_parse(sync)
