"""How fast tinygrad decodes a thread trace, and maps it to instructions. For trace_bench.mjs.

usage: PYTHONPATH=<tinygrad checkout> trace_reference.py FOLDER, which has trace.bin and program.elf
"""
import json
import pathlib
import sys
import time

from tinygrad.renderer.amd import sqtt

BYTES = 300_000  # of the trace: in Python more takes minutes


def timed(steps):
    count, began = 0, time.process_time()
    for _ in steps:
        count += 1
    return count, time.process_time() - began


def main():
    folder = pathlib.Path(sys.argv[1])
    trace = (folder / "trace.bin").read_bytes()[:BYTES]
    packets, seconds = timed(sqtt.decode(trace))
    figures = [("packets", "MB", len(trace) / 1e6 / seconds), ("packets", "M", packets / 1e6 / seconds)]
    _, seconds = timed(sqtt.map_insts(trace, (folder / "program.elf").read_bytes(), "gfx1100"))
    figures.append(("instructions to program counters", "MB", len(trace) / 1e6 / seconds))
    print(json.dumps([{"name": name, "unit": unit, "per_second": figure} for name, unit, figure in figures]))


main()
