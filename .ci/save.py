"Run notebooks in real kernels and save their outputs in them, which the site shows, or compare with what is saved. `make save` and `make saved` run it."
import os,platform,re,sys,tempfile
from pathlib import Path
from fastcore.script import call_parse
from nbdistributed.testing.pages import run_in_kernel

def scrub(o, names):
    "Replace directories and the kernel of this machine in every text of `o`"
    if isinstance(o, dict): return type(o)({k:scrub(v, names) for k,v in o.items()})
    if isinstance(o, list): return [scrub(v, names) for v in o]
    if isinstance(o, str):
        for a,b in names: o = o.replace(a, b)
    return o

def kinds(c):
    "What a code cell shows: output by stream, by MIME type, or an error by its name; numbers and times in it differ from run to run, and a line on who is waited for comes on a slow machine only"
    def one(o): return o.get('name') or o.get('ename') or ' '.join(sorted(o.get('data', {})))
    said = {(o['output_type'], one(o)) for o in c['outputs'] if o['output_type']!='display_data' or any(o['data'].values())}
    return sorted(said-{('display_data','text/plain')})

def compare(saved, run)->list: # A line for each cell that shows another kind of thing than what is saved
    "Are the saved outputs those of a run?"
    run = {c['id']:c for c in run.cells}
    old = [c for c in saved.cells if c.cell_type=='code' and c.outputs]
    return [f"  cell {c['id']}: saved is {kinds(c)}, and a run shows {kinds(run[c['id']])}" for c in old if kinds(c)!=kinds(run[c['id']])]

started = re.compile(r'(\d+ ranks? ready in )([\d.]+)( s(?: \(torch [\d.]+ s\))?)') # how long that takes says how busy the machine was

def texts(o, f):
    "Outputs `o` with each text as `f` makes it"
    if isinstance(o, dict): return type(o)({k:texts(v, f) for k,v in o.items()})
    if isinstance(o, list): return [texts(v, f) for v in o]
    return f(o) if isinstance(o, str) else o

def keep_starts(saved, run):
    "Where a cell of `run` says how long ranks took to start, it says what is `saved`, unless it was faster now, or the cell shows a wait: a busy machine is no news of a page"
    old = {c['id']:iter(started.findall(str(c.outputs))) for c in saved.cells if c.cell_type=='code'}
    def shorter(m, was):
        was = next(was, None)
        return m[0] if was is None or was[0]!=m[1] or float(m[2])<=float(was[1]) else ''.join(was)
    for c in run.cells:
        if c.cell_type=='code' and c['id'] in old and 'waiting for torch' not in str(c.outputs): c.outputs = texts(c.outputs, lambda s: started.sub(lambda m: shorter(m, old[c['id']]), s))

def start_again(fn, nb, seconds):
    "Run `nb` up to the cell in which ranks took more than `seconds` to start, and put what it shows now in place of that; was there one?"
    import nbformat
    at = [i for i,c in enumerate(nb.cells) if c.cell_type=='code' for o in started.findall(str(c.outputs))[:1] if float(o[1])>seconds]
    if not at: return False
    part = fn.with_name(f'part_of_{fn.name}')
    try:
        nbformat.write(nbformat.from_dict(dict(nb, cells=nb.cells[:at[0]+1])), part)
        run = run_in_kernel(part).cells[-1]
    finally: part.unlink()
    now = iter(started.findall(str(run.outputs)))
    def shorter(m):
        new = next(now, None)
        return m[0] if new is None or new[0]!=m[1] or float(new[1])>=float(m[2]) else ''.join(new)
    nb.cells[at[0]].outputs = texts(nb.cells[at[0]].outputs, lambda s: started.sub(shorter, s))
    return True

def save(
    path:str=None, # A notebook or folder; all notebooks by default
    flags:str='', # Space separated list of test flags to run that are normally skipped
    max_kb:int=600, # Larger notebooks are refused
    check:bool=False, # Write nothing, and exit with 1 if a run shows something else than what is saved
    starts:float=None, # Only start the ranks again of pages where that took more than these seconds, as on a busy machine
):
    "Run notebooks in a real kernel and save their outputs in them"
    import nbformat
    from nbdev.clean import nbdev_clean
    from nbdev.config import get_config
    from nbdev.doclinks import nbglob
    root = get_config().config_path
    names = [(str(root), '.'), (sys.prefix, '.venv'), (str(Path.home()), '~'), (tempfile.gettempdir(), '/tmp'), (platform.platform(), platform.system())]
    if path and not Path(path).exists(): sys.exit(f"there is no notebook or folder {path}")
    fns = [Path(path)] if path and path.endswith('.ipynb') else nbglob(path, as_path=True)
    bad = []
    for fn in sorted(f.absolute() for f in fns):
        old = nbformat.read(fn, as_version=4)
        if starts is not None:
            if start_again(fn, old, starts): nbformat.write(old, fn); nbdev_clean.__wrapped__(str(fn)); print(os.path.relpath(fn), flush=True)
            continue
        nb = run_in_kernel(fn, flags)
        for c in nb.cells:
            if c.cell_type=='code': c.outputs = [] if 'exercise' in c.metadata.get('tags', ()) else scrub([o for o in c.outputs if o.output_type!='display_data' or any(o.data.values())], names) # without what was shown and cleared, and what an exercise says to a starter
        if check:
            bad += (other := compare(old, nb))
            print('\n'.join([f"{os.path.relpath(fn)}: {'as saved' if not other else 'not as saved'}", *other]), flush=True)
            continue
        keep_starts(old, nb)
        if (kb := len(nbformat.writes(nb))//1024)>max_kb: sys.exit(f"{os.path.relpath(fn)} would have {kb} KB: show less in it, or raise --max-kb")
        nbformat.write(nb, fn)
        nbdev_clean.__wrapped__(str(fn))
        print(f'{os.path.relpath(fn)}: {kb} KB', flush=True)
    if bad: sys.exit(f"{len(bad)} cells show something else than what is saved: look at them, and save with make save NB=…")

if __name__=='__main__': call_parse(save)
