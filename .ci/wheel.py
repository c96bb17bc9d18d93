"Build the wheel in dist/, install it away from the repository, and use it in a kernel there. `make wheel` runs it."
import json,shutil,subprocess,sys,sysconfig,tempfile,zipfile
from pathlib import Path
from fastcore.script import call_parse
from nbdistributed.testing.kernel import Kernel

def uv():
    "uv's command, or `None`"
    for o in shutil.which('uv'),str(Path(sys.executable).with_name('uv')):
        if o and Path(o).exists() and not subprocess.run([o,'--version'], capture_output=True).returncode: return o

def install(whl, venv):
    "Install a wheel and a kernel in a new environment, with the versions of everything that we have ourselves; its interpreter"
    py,cmd = venv/'bin/python',uv()
    if cmd:
        frozen = subprocess.run([cmd,'pip','freeze','--python',sys.executable,'--exclude-editable'], check=True, capture_output=True, text=True).stdout
        (venv.parent/'versions.txt').write_text(frozen)
        subprocess.run([cmd,'venv','-q','--python',sys.executable,venv], check=True)
        subprocess.run([cmd,'pip','install','-q','--python',py,'-c',venv.parent/'versions.txt',whl,'ipykernel'], check=True)
    else: # a new download of torch would take minutes: borrow ours, but not ourselves
        subprocess.run([sys.executable,'-m','venv',venv], check=True)
        subprocess.run([py,'-m','pip','install','-q','--no-deps',whl], check=True)
        site = subprocess.run([py,'-c',"import sysconfig; print(sysconfig.get_path('purelib'))"], check=True, capture_output=True, text=True).stdout.strip()
        (Path(site)/'borrowed.pth').write_text(sysconfig.get_path('purelib')+'\n')
    return py

def wheel():
    "Build the wheel in dist/, install it away from the repository, and use it in a kernel there"
    from nbdev.config import get_config
    root = get_config().config_path
    shutil.rmtree(root/'dist', ignore_errors=True)
    subprocess.run([sys.executable,'-m','build','--no-isolation',root], check=True, stdout=subprocess.DEVNULL)
    whl, = (root/'dist').glob('*.whl')
    print(f'built {whl.relative_to(root)}: {whl.stat().st_size//1024} KB', flush=True)
    if ours := [o for o in zipfile.ZipFile(whl).namelist() if o.startswith('nbdistributed/testbed')]: raise AssertionError(f'what only our tests use is in it: {ours}')
    inside = [o for o in zipfile.ZipFile(whl).namelist() if 'share/jupyter/labextensions/nbdistributed/' in o]
    if len(inside)!=3: raise AssertionError(f'JupyterLab would find of our extension only {inside}')
    with tempfile.TemporaryDirectory(prefix='nbd-wheel-') as d:
        py = install(whl, Path(d)/'venv')
        use(py)
        in_lesson(whl, py, root/'nbs/course/01_nbdistributed.ipynb')
    print(f'{whl.name} works away from the repository')

def use(py):
    "Two ranks in a kernel of the environment of `py`"
    cmd = py.with_name('nbdistributed')
    doctor = subprocess.run([cmd,'doctor','-n','2'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(doctor.stdout, end='', flush=True) # what is wrong stands in it
    doctor.check_returncode()
    subprocess.run([cmd,'test','--help'], check=True, stdout=subprocess.DEVNULL) # it needs more than the library, but not to say so
    def ok(code, timeout=60):
        if (r := k.run(code, timeout)).error: raise AssertionError(f'{code}\n{r.shown()}')
        return r
    with Kernel(python=py, env=dict(PYTHONPATH=None, VIRTUAL_ENV=None)) as k:
        where = ok('import nbdistributed; print(nbdistributed.__file__)').text.strip()
        if not Path(where).is_relative_to(py.parent.parent): raise AssertionError(f'not the wheel, but {where}')
        ok('from nbdistributed.display.troubles import troubles; assert troubles()') # it reads a file that is no module
        ok('%load_ext nbdistributed')
        ok('%dist_init -n 2', 120)
        out = ok("print(f'rank {rank} of {world_size}')").text
        if not all(f'rank {r} of 2' in out for r in range(2)): raise AssertionError(f'expected two ranks, and got:\n{out}')
        ok('%dist_shutdown')

def in_lesson(whl, py, lesson):
    "The first cells of a lesson on Colab, in a folder with the wheel and an environment without it"
    subprocess.run([py,'-m','ensurepip','-q'] if not uv() else [uv(),'pip','install','-q','--python',py,'pip'], check=True, capture_output=True)
    subprocess.run([py,'-m','pip','uninstall','-q','-y','nbdistributed'], check=True)
    folder = py.parents[2]/'uploaded'
    folder.mkdir()
    shutil.copy(whl, folder)
    cells = [''.join(c['source']) for c in json.loads(lesson.read_text(encoding='utf-8'))['cells'] if c['cell_type']=='code']
    colab,start = cells[:2]
    if not ('google.colab' in colab and start.startswith('%load_ext nbdistributed')): raise AssertionError(f'{lesson.name} has no cell for Colab')
    with Kernel(python=py, env=dict(PYTHONPATH=None, VIRTUAL_ENV=None), cwd=folder) as k:
        for code in "import sys; sys.modules['google.colab'] = sys",colab,start:
            if (r := k.run(code, 120)).error: raise AssertionError(f'{code}\n{r.shown()}')
    print(f"{lesson.name} installs the wheel beside it, as on Colab")

if __name__=='__main__': call_parse(wheel)
