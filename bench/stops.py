"""The stop button in a training, until the prompt is back

Trainings of fastai, accelerate, transformers and Lightning, as far as they are installed, on small models. Stopped is at a random moment, several times each; the first training of a session imports what it needs and begins slowly, so it has a row of its own.
The floor is the same training on one rank. Each error has to show the line that started the training.
"""
import importlib.util,random,sys,time
from common import *
from nbdistributed.testing.kernel import Kernel

trainings = {
'fastai':('--app fastai', '''from fastai.basics import *
from fastai.distributed import *
torch.manual_seed(0); ds = [(torch.randn(64),torch.ones(1)) for _ in range(4096)]
dls = DataLoaders.from_dsets(ds, ds[:512], bs=8, device=device, num_workers=0)
learn = Learner(dls, nn.Sequential(nn.Linear(64,64),nn.ReLU(),nn.Linear(64,1)), loss_func=nn.MSELoss())''',
    'with learn.distrib_ctx(in_notebook=False): learn.fit(500)'),
'accelerate':('', '''from accelerate import Accelerator
from torch import nn
a = Accelerator(cpu=True)
ds = torch.utils.data.TensorDataset(torch.randn(8192,64), torch.ones(8192,1))
m = nn.Sequential(nn.Linear(64,64),nn.ReLU(),nn.Linear(64,1)); o = torch.optim.SGD(m.parameters(), lr=.01)
m,o,dl = a.prepare(m, o, torch.utils.data.DataLoader(ds, batch_size=8, shuffle=True))
def train():
    while True:
        for x,y in dl: o.zero_grad(); a.backward(nn.functional.mse_loss(m(x), y)); o.step()''', 'train()'),
'transformers':('', '''from transformers import Trainer,TrainingArguments
from torch import nn
class M(nn.Module):
    def __init__(self): super().__init__(); self.l = nn.Linear(64,1)
    def forward(self, x, labels): p = self.l(x); return dict(loss=nn.functional.mse_loss(p, labels), logits=p)
ds = [dict(x=torch.randn(64), labels=torch.ones(1)) for _ in range(8192)]
args = TrainingArguments('out', num_train_epochs=500, per_device_train_batch_size=8, report_to=[], save_strategy='no', use_cpu=True)
trainer = Trainer(M(), args, train_dataset=ds)''', 'trainer.train()'),
'lightning':('', '''import lightning as L
from torch import nn
class Small(L.LightningModule):
    def __init__(self): super().__init__(); self.l = nn.Linear(64,1)
    def training_step(self, b, i): return nn.functional.mse_loss(self.l(b[0]), b[1])
    def configure_optimizers(self): return torch.optim.SGD(self.parameters(), lr=.01)
dl = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(8192,64), torch.ones(8192,1)), batch_size=8)
model = Small()''', 'L.Trainer(max_epochs=500, logger=False, enable_checkpointing=False, accelerator="cpu").fit(model, dl)')}

def stop(k, cell, after):
    "Seconds from a stop, `after` seconds into `cell`, to the prompt"
    h = k.start(cell); t = time.monotonic()
    while time.monotonic()<t+after:
        if h.seconds is not None: raise RuntimeError(f'the training ended by itself: {h.shown()[-1000:]}')
        k._pump(.1)
    t = time.monotonic(); k.interrupt(); r = h.done(120)
    if not r.error or cell.split()[-1] not in r.error.traceback: raise RuntimeError(f'the line `{cell}` is not in the error: {r.shown()[-1000:]}')
    return time.monotonic()-t

def measure(ns, runs, wait):
    chance = random.Random(0)
    for name,(options,setup,cell) in trainings.items():
        if not importlib.util.find_spec(name): continue
        got = {}
        for n in dict.fromkeys((1, *ns)):
            if wait: settle(wait)
            with Kernel() as k:
                for code in '%load_ext nbdistributed',f'%dist_init -n {n} --threads 1 {options}',setup:
                    if (r := k.run(code, 300)).error: raise RuntimeError(r.shown())
                got[n] = [stop(k, cell, (12 if i==0 else 3)+3*chance.random()) for i in range(runs+1)]
            print(f'    {name}, {n}: '+', '.join(f'{t:.2f}' for t in got[n]), file=sys.stderr, flush=True)
        for n in ns:
            yield Row(f'stop in a training of {name} on {n} ranks', got[n][1:], got[1][1:], most=3)
            yield Row('… the first of a session', got[n][:1], got[1][:1], most=3)

if __name__=='__main__': main(__doc__, measure, 5, (2,))
