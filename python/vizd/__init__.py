"""vizd from Python: records captures and asks them. Needs nothing but Python.

    with vizd.Capture("run.bin") as c: ...                      # record what a compiler and devices do
    vizd.open("run.bin").sql("SELECT name, dur FROM slice")     # ask

`python -m vizd` is the program itself, which answers all of these.
"""
from .binary import VizdError, VizdWarning, find_binary
from .capture import Capture
from .reader import Answer, Reader, open

__all__ = ["Answer", "Capture", "Reader", "VizdError", "VizdWarning", "find_binary", "open"]
