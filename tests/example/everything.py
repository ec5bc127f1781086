"""Writes a capture that has one of everything that a capture may have: python3 everything.py OUT.bin

tests/unit/formats/native/everything_test.cpp writes the same from C++ and C and says what is to be read.
"""
import pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from vizd import Capture


def write_compilation(w):
    main = w.stack("main", "train.py", 3)
    step = w.stack("step", "train.py", 12, caller=main)
    context = w.context("kernel", stack=step)
    leaf = w.op(w.kind("LEAF", "#00ff00"), dtype="int")
    twice = w.op(w.kind("ADD"), [leaf, leaf], dtype="int")
    shifted = w.op(w.kind("SHL"), [leaf], dtype="int", argument="1")
    simplify = w.graph_pass(context, "simplify", twice, w.location("passes.cpp", 1))
    w.match(simplify, twice, shifted, w.location("rules.cpp", 7, "x + x -> x << 1"))
    w.program(context, "kernel", "out = x << 1;", "GPU 0")
    w.program(None, "library kernel", "", "GPU 0", b"\x00\xff\x90")
    time = w.measure("time", "ns")
    w.op_value(time, leaf, 1.5)
    w.op_value(time, twice, 2.5)
    return context, step


def write_devices(w, context, step):
    w.clock("gpu clock", 1_700_000_000_000_000_000)
    w.fact("GPU 0", "multiprocessors", 132)
    w.fact("GPU 0", "bandwidth", 3.35e12, "B/s")
    w.fact("", "driver", "550.54")
    rank = w.track("rank 0", "rank")
    gpu = w.track("GPU 0", "device", rank, sort=2, hertz=1_600_000_000)
    stream = w.track("stream 7", "stream", gpu)
    thread = w.track("main", "thread", rank, sort=-1)
    w.event(stream, "gemm", 100, 50, context=context, category="gemm",
            arguments={"FLOP": (2_000_000, "FLOP"), "memory": (4096, "B"), "occupancy": (0.75, "%"), "shape": "[2,3]"})
    w.event(stream, "copy", 200, 20, error=True, arguments={"memory": (-1, "B")})
    w.event(stream, "plain", 230, 5)
    w.instant(thread, "out of memory", 210, category="memory", arguments={"wanted": (1 << 40, "B")})
    w.event(thread, "all_reduce", 220, 30, kind="asynchronous")
    w.event(thread, "train", 90, 200, kind="unfinished", info="a line of text")
    w.run("step", "step 4", 4, 90, 250)
    w.run("call", "forward", 0, 95, 160, track=thread)
    w.stack_sample(thread, 120, step)
    w.stack_sample(thread, 130, step, 2.5)
    w.sample(w.counter(gpu, "power", "W"), 150, 42.5)
    w.allocation(gpu, 7, 90, 4096, "float", category="weights", address=0x1000, context=context)
    w.free(gpu, 7, 260)
    w.marker("here", 95, "red")
    w.flow(thread, 95, stream, 100)


if __name__ == "__main__":
    with Capture(sys.argv[1]) as writer:
        write_devices(writer, *write_compilation(writer))
