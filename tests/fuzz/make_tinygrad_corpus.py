#!/usr/bin/env python3
"""Writes the seed corpus of tinygrad_pickle_fuzz into corpus/tinygrad_pickle: small captures and plain values in every
pickle protocol that is read, with classes of the same names as tinygrad's made up on the spot."""
import decimal, enum, pathlib, pickle, sys, types

OUT = pathlib.Path(__file__).parent / "corpus" / "tinygrad_pickle"

def publish(cls, module, **attributes):
  cls.__module__, cls.__qualname__ = module, cls.__name__
  for name, value in attributes.items(): setattr(cls, name, value)
  parts = module.split(".")
  for i in range(len(parts)): sys.modules.setdefault(path := ".".join(parts[:i+1]), types.ModuleType(path))
  setattr(sys.modules[module], cls.__name__, cls)
  return cls

def record(module, name):
  def init(self, **fields): self.__dict__.update(fields)
  return publish(type(name, (), {"__init__": init}), module)

def reduced(module, name):
  def init(self, *args): self.args = args
  return publish(type(name, (), {"__init__": init, "__reduce__": lambda self: (type(self), self.args)}), module)

Ops = publish(enum.IntEnum("Ops", {"SINK": 2, "KERNEL": 5, "ADD": 63, "CONST": 88}), "tinygrad.uop")
Key, Range, Point = (record("tinygrad.helpers", n) for n in ("TracingKey", "ProfileRangeEvent", "ProfilePointEvent"))
Device, Graph, Entry = (record("tinygrad.device", n) for n in ("ProfileDeviceEvent", "ProfileGraphEvent", "ProfileGraphEntry"))
Rewrite, Trace = (record("tinygrad.uop.ops", n) for n in ("TrackedGraphRewrite", "RewriteTrace"))
Kernel, Program = record("tinygrad.schedule.kernelize", "Kernel"), record("tinygrad.renderer", "ProgramSpec")
UOp, DType = reduced("tinygrad.uop.ops", "UOp"), reduced("tinygrad.dtype", "DType")

def captures():
  dt = DType(5, 4, "int", "i", 1, None)
  one, two = UOp(Ops.CONST, dt, (), 1, None, None), UOp(Ops.CONST, dt, (), 2.5, None, None)
  tree = UOp(Ops.ADD, dt, (one, two), None, None, None)
  rule, place = ("/rules.py", 7), ("/passes.py", 12)
  fields = {2: (Ops.ADD, dt, (0, 1), None, None), 0: (Ops.CONST, dt, (), 1, None), 1: (Ops.CONST, dt, (), 2**70, (1,)),
            3: (Ops.SINK, dt, (2,), (tree, "text", b"bytes", [1], {"a": {1, 2}}, frozenset({3})), None),
            4: (Ops.KERNEL, dt, (3,), Kernel(ast=3, metadata=()), None)}
  pass = Rewrite(loc=place, sink=4, matches=[(2, 0, rule), (0, 1, rule)], name=None, depth=1, bottom_up=True)
  program = Program(name="E_4", src="void f() {}", device="CPU", ast=tree, uops=[one, two, tree])
  keys = [Key(display_name="\x1b[34mE_4\x1b[0m", keys=("E_4", tree), ret=program)]
  yield "rewrites", [(keys, [[pass]], fields)]
  yield "rewrites_2026", Trace(keys=keys, rewrites=[[pass]], uop_fields=fields)
  us = decimal.Decimal
  yield "profile", [
    Device(device="CPU", comp_tdiff=us("9.89625"), copy_tdiff=None),
    Range(device="CPU", name="E_4", st=us("10.125"), en=us("12"), is_copy=True),
    Range(device="TINY", name=keys[0], st=us("1E+1"), en=None, is_copy=False),
    Point(device="CPU", name="alloc", key=3, arg={"dtype": dt, "sz": 16}, ts=us(11)),
    Point(device="CPU", name="exec", key="E_4", arg={"metadata": None, "var_vals": {"n": 4}}, ts=us(9)),
    Point(device="CPU", name="free", key=3, arg={}, ts=us(13)),
    Point(device="TINY", name="marker", key=None, arg={"name": "m", "color": "red"}, ts=us(12)),
    Graph(ents=[Entry(device="CPU", name="a", st_id=0, en_id=1, is_copy=False)], deps=[[]], sigs=[us(20), us(21)])]

OUT.mkdir(parents=True, exist_ok=True)
for protocol in (2, 3, 4, 5):
  for name, value in captures(): (OUT / f"{name}.{protocol}.pkl").write_bytes(pickle.dumps(value, protocol))
