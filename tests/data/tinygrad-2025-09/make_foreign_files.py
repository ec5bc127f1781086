#!/usr/bin/env python3
"""Writes foreign-files.rewrites.pkl: a capture of the 2025-09 format whose passes and rules lie in files that vizd must
not read. The classes are stand-ins of the same names, so tinygrad need not be there.

usage: make_foreign_files.py OUT
"""
import pickle, sys, types

FILES = ["/etc/passwd", "/etc/hostname", "/proc/self/environ", "/dev/zero", "../kernel.py", "kernel.py"]

def stand_in(module, name):
  made = type(name, (), {"__module__": module})
  for end in range(len(module.split("."))):
    part = ".".join(module.split(".")[:end+1])
    sys.modules.setdefault(part, types.ModuleType(part))
  setattr(sys.modules[module], name, made)
  return made

class Call:
  """Pickled as the call of a function, as tinygrad's ops and dtypes are."""
  def __init__(self, function, *args): self.call = (function, args)
  def __reduce__(self): return self.call

def with_fields(cls, **fields):
  made = cls()
  made.__dict__.update(fields)
  return made

ops = stand_in("tinygrad.uop", "Ops")
key = stand_in("tinygrad.helpers", "TracingKey")
rewrite = stand_in("tinygrad.uop.ops", "TrackedGraphRewrite")
void = Call(stand_in("tinygrad.dtype", "DType"), -1, 0, "void", None, 1, None)
noop, sink = Call(getattr, ops, "NOOP"), Call(getattr, ops, "SINK")
uops = {0: (noop, void, (), None, None), 1: (sink, void, (0,), None, None), 2: (noop, void, (), 1, None)}
steps = [with_fields(rewrite, loc=(file, 1), sink=1, matches=[(0, 2, (file, 1))], name=f"reads {file}", depth=0, bottom_up=False)
         for file in FILES]
with open(sys.argv[1], "wb") as out:
  pickle.dump([([with_fields(key, display_name="foreign files", keys=(), ret=None)], [steps], uops)], out, protocol=4)
