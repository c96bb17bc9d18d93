"""Distributed PyTorch and fastai from an ordinary notebook

nbdistributed runs each notebook cell on several PyTorch processes (*ranks*) at once. `torch.distributed` is already initialized, and variables persist from cell to cell. No Jupyter extension is needed, and no GPU: without one, ranks run on the CPU with `gloo`.

Modules:

- `nbdistributed.course`: What lessons import: values of all ranks, checks with hints in steps, what was sent and how much, and four kinds of pictures
- `nbdistributed.display.budget`: What a cell sends to the notebook, and how fast: what there is no room for waits, and what is left out is counted
- `nbdistributed.display.displays`: The rich outputs of a cell: which of them share a display that is updated in place, and who draws in it
- `nbdistributed.display.drawn`: Small drawings between text: a bar under an amount, a spark line, a strip of what differs
- `nbdistributed.display.errors`: One error for all the ranks on which a cell failed
- `nbdistributed.display.fold`: What several ranks said, compared: how far it is equal, and where it meets again
- `nbdistributed.display.folding`: What ranks said goes out: together where they agree, side by side where they differ, and no later than it must
- `nbdistributed.display.grid`: Tables that notebooks and terminals show alike, and values of ranks side by side
- `nbdistributed.display.places`: Displays that are updated in place: a rank's own, or one that several ranks share
- `nbdistributed.display.progress`: Lines that are drawn again and again: what stands on them now, and which ranks' bars count the same thing
- `nbdistributed.display.publish`: Where output goes: the notebook's own message channel, or the terminal
- `nbdistributed.display.render`: Events of a cell that ran on several ranks, as notebook output: what ranks say alike is shown once, and one error is raised for all that failed
- `nbdistributed.display.sheet`: The text of a cell in the notebook: which heading stands above it, and which message it goes into
- `nbdistributed.display.shown`: What each rank has shown: it goes out when there is room, and is shown again when another rank clears its part
- `nbdistributed.display.troubles`: Each message that a user can meet: what happened, and what to do next; the page of the reference and `%dist_debug` both look here
- `nbdistributed.host.child`: A rank's process, however it was started: is it over, end it, and how did it end
- `nbdistributed.host.death`: Why a process ended, as far as it can be known: its last words, the OOM killer's counter, its signal
- `nbdistributed.host.devices`: The devices that a process with the notebook's environment finds, and why it doesn't use a GPU that is there
- `nbdistributed.host.forkserver`: The fork server: it imports torch and IPython once, and forks, reaps and ends ranks
- `nbdistributed.host.keeper`: The supervisor's part in a group that outlives its notebook: hold its life for a while, and hand it to the next one
- `nbdistributed.host.line`: What ssh runs on another host after its connection to that host has broken, so that the new one carries what the old one did
- `nbdistributed.host.manifest`: `nbdistributed agent --manifest 2`: what `kubectl apply` takes, for a job whose pods bring ranks
- `nbdistributed.host.relay`: `nbdistributed agent`: what runs on another host, and speaks there for the notebook
- `nbdistributed.host.supervisor`: What speaks for a host: it starts ranks, tells how they end, and ends everything with the notebook
- `nbdistributed.host.torchrun`: Several processes of one start on a host, of which one is its agent; and an agent that outlives torchrun's restarts
- `nbdistributed.kernel.front.assist`: Tab, Shift-Tab, `name?` and `name??`, answered by a rank: its objects are the ones the user means
- `nbdistributed.kernel.front.control`: Look into ranks that hang, free them, replace them; see who computes
- `nbdistributed.kernel.front.export`: `%dist_export train.py`: the cells that ran on the ranks, as a script for `torchrun`
- `nbdistributed.kernel.front.hook`: Where a plain cell goes: the wrapper around the shell's own `run_cell_async`
- `nbdistributed.kernel.front.lab`: The kernel's half of the extension of JupyterLab: it tells open pages which ranks there are
- `nbdistributed.kernel.front.magics`: Start, run, status, modes: read the magic line, ask the group, show what it says
- `nbdistributed.kernel.front.route`: Where each part of a cell goes: to the ranks, to the kernel, or to both
- `nbdistributed.kernel.group.asking`: What a rank asks is put to the user in the notebook's own box: one question at a time, in rank order, each with the name of its rank
- `nbdistributed.kernel.group.cells`: A cell on its way: which ranks have it, what they replied, how the stop button reaches it
- `nbdistributed.kernel.group.failures`: The one error of a cell that failed on several ranks: the cause first, then what followed from it
- `nbdistributed.kernel.group.heal`: Replace dead ranks, have them join the others, and give them their state again
- `nbdistributed.kernel.group.inbox`: What supervisor and ranks send on their own: output, the end of a cell, a death; on the hub's thread
- `nbdistributed.kernel.group.members`: The ranks of one group: the state of each, how one ended, and what they are asked
- `nbdistributed.kernel.group.mend`: Free ranks from a collective, compare what they have entered, and form the process groups again
- `nbdistributed.kernel.group.queue`: Cells that wait for their ranks, in order; and a group that is kept for one thread while it is mended
- `nbdistributed.kernel.group.start`: Start ranks: what each must know, the wait until all have joined, and the first cause if one can't
- `nbdistributed.kernel.group.watch`: The wait for one cell: what the stop button, a limit, a failure, a death and a hang do to it
- `nbdistributed.kernel.hosts.guests`: Hosts that came to a meeting, who else may come, and who is missing and why
- `nbdistributed.kernel.hosts.hosts`: What a group asks of the hosts that its ranks are on
- `nbdistributed.kernel.hosts.local`: The notebook's side of a host: its supervisor, kept warm; and which device each rank gets
- `nbdistributed.kernel.hosts.meeting`: `%dist_init --meet`: ranks on several hosts, each of which brings its own
- `nbdistributed.kernel.hosts.seats`: Which rank is on which host, and which device it gets there
- `nbdistributed.kernel.hosts.slurm`: `%dist_init --slurm`: ranks on the nodes of a job, the notebook's own or one that is asked for
- `nbdistributed.kernel.hosts.ssh`: `%dist_init --hosts a,b:4`: ranks on hosts that ssh reaches
- `nbdistributed.kernel.hosts.ways`: Ways to ranks on other hosts: by hand, by ssh, in a Slurm allocation; and back to those of a kept group
- `nbdistributed.kernel.parts.alone`: A cell on the ranks, and once more in a world of one: where the two programs part
- `nbdistributed.kernel.parts.compare`: Mismatched collectives of ranks on several hosts: who called what, read out where ranks wait or a cell has failed
- `nbdistributed.kernel.parts.detached`: `%dist_init --keep` and `%dist_attach`: a group that outlives its kernel, and how the next one finds it
- `nbdistributed.kernel.parts.doctor`: Is this machine fit for ranks? One look for each thing that they need, and a line for each: fine, or what is wrong and what fixes it
- `nbdistributed.kernel.parts.first_diff`: Where ranks, or two runs, part: the first operation that differs and should not
- `nbdistributed.kernel.parts.jobs`: Background cells: their handle, and their page under the cell that began them
- `nbdistributed.kernel.parts.lanes`: The picture of a profile: a lane for each rank, in one time line
- `nbdistributed.kernel.parts.log`: `%dist_log`: what ranks said while nobody looked
- `nbdistributed.kernel.parts.notice`: The end of the ranks is announced: what was named is saved before it, and the next session is told where it is
- `nbdistributed.kernel.parts.profile`: Where the time of a cell went on all ranks, and in one word why: `%%dist_profile`
- `nbdistributed.kernel.parts.top`: What ranks do while a cell runs, as a table that moves, and as a picture when it is over: `%dist_top`
- `nbdistributed.kernel.parts.trace`: A profile as one trace of all ranks, which Perfetto shows: `%%dist_profile --trace FILE`
- `nbdistributed.kernel.parts.transfer`: Push from the notebook to ranks, pull from ranks into the notebook, and the values of cells
- `nbdistributed.kernel.parts.variables`: All ranks at a glance: variables, differences, shards, memory, seeds
- `nbdistributed.kernel.parts.widgets`: The kernel's part of a rank's widgets: messages are passed on both ways, and each widget's state is mirrored, so that a page that is loaded again can be given it
- `nbdistributed.libs.bars`: Progress bars of `tqdm` and `rich` on ranks: as text, which folds, rather than as widgets; one table of a `Trainer`
- `nbdistributed.libs.lightning`: A `Trainer` in a plain cell trains one model over all ranks, and in a cell on one rank it trains there alone
- `nbdistributed.rank.alone`: The same cell in a world of one: what it gets of rank 0's variables, and the process that runs it
- `nbdistributed.rank.answers`: What a rank answers when the notebook asks: where it is, what it prints, what it waits for
- `nbdistributed.rank.check`: On a rank: notice that the ranks of a group call different collectives, before anything of them is sent
- `nbdistributed.rank.comms`: Jupyter's comms in a process that has no kernel: what ipywidgets, ipympl, tqdm.notebook and others talk through
- `nbdistributed.rank.diagnose`: Say where a rank is, and compare ranks to tell who waits for whom
- `nbdistributed.rank.interrupt`: What an interrupt does, by where the rank is when it comes: a table of states and events
- `nbdistributed.rank.layers`: On a rank: write down what each module of a cell gets and gives, and each gradient and parameter at an optimizer's step
- `nbdistributed.rank.likeness`: How what ranks have relates to what a single process has: the same, its parts, terms of its sum, or something else
- `nbdistributed.rank.moving`: On a rank: values that arrive from the notebook, and values that it fetches
- `nbdistributed.rank.operations`: On a rank: write down each operation of a cell, with a hash of what goes in and comes out
- `nbdistributed.rank.output`: Everything that a rank prints and shows, in order, and never waiting for whoever reads it
- `nbdistributed.rank.pipelines`: The stages of a pipeline: their names on the ranks, and all of them in one process
- `nbdistributed.rank.profiling`: On a rank: torch's profiler around one cell, what each moment of it went to, and when the rank came to each collective
- `nbdistributed.rank.rank0`: Do something on rank 0 first, and on the other ranks once it is there: downloads, caches, files
- `nbdistributed.rank.recent`: On a rank: the last of what it said, for those who were not there
- `nbdistributed.rank.recover`: On a rank: free a collective that is stuck, and form the process groups again under the objects that hold them
- `nbdistributed.rank.saving`: On a rank: what can be saved of its variables, and how they get their old values back
- `nbdistributed.rank.shell`: Run a cell's text in an IPython shell, and hand over every output as it happens
- `nbdistributed.rank.snapshots`: On a rank: copies of variables in memory, and the way back to them
- `nbdistributed.rank.state`: On a rank: what its variables hold, how they differ from another rank's, and what fills its memory
- `nbdistributed.rank.stdin`: `input`, `getpass` and the debugger on a rank: what they ask goes to the notebook, and the answer comes back
- `nbdistributed.rank.steps`: On a rank whose end may be announced: count the steps of its optimizers, and stop a cell after the same step on all ranks
- `nbdistributed.rank.worker`: One rank's process: its threads, its shell, its process group
- `nbdistributed.testbed.traces`: What Perfetto would drop or bend of a trace: a check of its rules, for tests
- `nbdistributed.testing.gpu`: Is this machine fit for ranks on its GPUs? Six checks, each in a kernel of its own and with a limit, and a report of what happened
- `nbdistributed.testing.lessons`: A lesson's exercises and solutions, answers tried in a real kernel, grades with nbgrader and without, slides, seconds and memory
- `nbdistributed.wire.ipython_private`: What isn't public in IPython and ipykernel and is used all the same, each name in one place
- `nbdistributed.wire.machine`: What is installed in this environment, how many cores it may use, how amounts of memory are written, and what GPUs hold
- `nbdistributed.wire.messages`: What travels between the notebook, the supervisors and the ranks: messages, frames, and the two ends of a socket
- `nbdistributed.wire.payload`: Objects, arrays and tensors as a header without code and raw buffers, and back
- `nbdistributed.wire.python_private`: What isn't public in Python's library and is used all the same, each name in one place
- `nbdistributed.wire.questions`: Everything that the notebook may ask a rank: the question, its fields, the answer, and the thread that answers
- `nbdistributed.wire.ranks`: Name some of a group's ranks as text: `0,2-3`, or `all`
- `nbdistributed.wire.ras`: What NCCL itself says of ranks that wait: a second witness
- `nbdistributed.wire.saves`: What a save is on disk: a folder that is whole, or isn't there
- `nbdistributed.wire.settings`: What `%autoreload`, `%xmode`, `%precision`, `%config` and `%load_ext` have set in the notebook, taken over by a rank
- `nbdistributed.wire.spans`: Stretches of time: their union, what two have in common, what is left of one, and how much of each lies in another
- `nbdistributed.wire.torch_private`: What isn't public in torch and is used all the same, each name in one place
- `nbdistributed.wire.trunk`: One connection for each host: what it carries arrives once and in order, also where cables are pulled
- `nbdistributed.wire.ways`: Whether hosts reach each other, tried by a connection"""

__version__ = "0.2.0"

_lazy = dict(Group='kernel.front.session', GroupError='kernel.hosts.placement', RankError='display.render', rank0_first='rank.rank0', notebook_launcher='kernel.front.accelerate_launcher')
__all__ = list(_lazy) # for `import *`: else it brings the modules that are loaded, over names of the user's

def __getattr__(name):
    "Names of the package, imported when they are first used, so that `import nbdistributed` costs nothing"
    if name not in _lazy: raise AttributeError(f"module 'nbdistributed' has no attribute {name!r}")
    from importlib import import_module
    return getattr(import_module(f'nbdistributed.{_lazy[name]}'), name)

def __dir__(): return sorted([*globals(), *_lazy])

def load_ipython_extension(ip):
    from time import monotonic
    began = monotonic() # the import below is part of what a user waits for
    from nbdistributed.kernel.front.session import load_ipython_extension as load
    load(ip, began)

def unload_ipython_extension(ip):
    from nbdistributed.kernel.front.session import unload_ipython_extension as unload
    unload(ip)
