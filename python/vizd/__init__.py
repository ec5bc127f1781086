"""vizd from Python: records captures, asks them, and shows them in a notebook. Needs nothing but Python.

    with vizd.Capture("run.bin") as c: ...                      # record what a compiler and devices do
    vizd.open("run.bin").sql("SELECT name, dur FROM slice")     # ask
    vizd.Inspector("run.etdp").to_dataframe()                   # an ETDump, as ExecuTorch's Inspector tells it
    vizd.show("run.bin")                                        # look
    with vizd.record(torch.profiler.profile()): ...             # keep and show what a profiler recorded

`python -m vizd` is the program itself, which answers all of these.
"""
from .binary import VizdError, VizdWarning, find_binary
from .capture import Capture
from .inspector import Inspector
from .reader import Answer, Reader, open
from .recording import Recording, record
from .shown import Shown, show

__all__ = ["Answer", "Capture", "Inspector", "Reader", "Recording", "Shown", "VizdError", "VizdWarning", "find_binary", "open",
           "record", "show"]
