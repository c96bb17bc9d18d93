"Run the checks of nbs/tests/gpu.ipynb, all or those with the numbers that are given, in a real kernel, and print their lines as they come. `make gpu` runs it."
import os,sys
from pathlib import Path
from nbclient.exceptions import CellExecutionError
from nbdistributed.testing.kernel import strip_ansi
from nbdistributed.testing.pages import run_in_kernel

def show(msg):
    if msg['msg_type']=='stream': print(msg['content']['text'], end='', flush=True)

if __name__=='__main__':
    os.environ.update(CHECKS=' '.join(sys.argv[1:]), NBD_REPORT=os.getcwd())
    page = Path(__file__).parents[1]/'nbs/tests/gpu.ipynb'
    try: run_in_kernel(page, flags='cuda', timeout=24*3600, on_message=show)
    except CellExecutionError as e: sys.exit(f'{e.ename}: {strip_ansi(e.evalue)}')
