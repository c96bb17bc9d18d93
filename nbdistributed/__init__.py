"""Distributed PyTorch and fastai from an ordinary notebook

Modules:

- `nbdistributed.wire`: What travels between the notebook, the agents and the ranks: messages, frames, and the two ends of a socket"""

__version__ = "0.2.0.dev0"
