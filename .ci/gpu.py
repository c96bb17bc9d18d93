"Run the checks of nbs/tests/gpu.ipynb, all or those with the numbers that are given, in a real kernel, and print their lines as they come; `first`: all, in groups, for a machine that is tried for the first time. `make gpu` runs it."
import os,sys
from pathlib import Path
from nbclient.exceptions import CellExecutionError
from nbdistributed.testing.kernel import strip_ansi
from nbdistributed.testing.pages import run_in_kernel

def show(msg):
    if msg['msg_type']=='stream': print(msg['content']['text'], end='', flush=True)

# What decides most comes first: does a rank start, are ranks that wait freed; then what else there is, the measurements, several cards
first = [('3 11 13 16 25 27',120), ('12 14 17 18 26 28 29',150), ('1 2 5 6 7 30 31',120), ('4 8 9 10 19 24 32',120), ('15',90), ('20 21 22 23',240)]

def run(checks, limit):
    "The error of the page, as text; none: all went well"
    os.environ.update(CHECKS=checks, LIMIT=str(limit), NBD_REPORT=os.getcwd())
    page = Path(__file__).parents[1]/'nbs/tests/gpu.ipynb'
    try: run_in_kernel(page, flags='cuda', timeout=24*3600, on_message=show)
    except CellExecutionError as e: return f'{e.ename}: {strip_ansi(e.evalue)}'

def main(args):
    limit = os.environ.get('LIMIT', '')
    groups = [(o,limit or s) for o,s in first] if args==['first'] else [(' '.join(args),limit)]
    return '\n'.join(filter(None, [run(*o) for o in groups])) or None

if __name__=='__main__': sys.exit(main(sys.argv[1:]))
