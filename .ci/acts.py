"Random sequences of acts, `nbs/tests/random_acts.ipynb`, as many as asked for, with progress: `make random`"
import os
from pathlib import Path
from fastcore.script import call_parse

@call_parse
def main(
    n:int=300, # Sequences
    at_once:int=3, # Of them at a time
    results:str=None, # A file for what was found; if it is there, go on with those of its sequences that are left
    minutes:float=None, # Begin none after so many
):
    "Play random sequences and say of each how it went"
    from fastcore.nbio import read_nb
    os.environ.update(NBD_SEQUENCES=str(n), NBD_AT_ONCE=str(at_once))
    if results: os.environ['NBD_RESULTS'] = results
    if minutes is not None: os.environ['NBD_MINUTES'] = str(minutes)
    g = dict(__name__='__main__')
    for c in read_nb(Path(__file__).parents[1]/'nbs/tests/random_acts.ipynb').cells:
        if c.cell_type=='code': exec(compile(c.source, f'cell {c.id}', 'exec'), g)
