// A capture of a graph that is far wider than any window: a chain of ops, in which a match changes one end and the next
// match the other; before it a pass in which nothing matched.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Capture } from "./harness";

const python = join(process.env.VIZD_TOP ?? process.cwd(), "python");

const kProgram = `
import sys
sys.path.insert(0, sys.argv[1])
from vizd import Capture
with Capture(sys.argv[2]) as w:
    empty = w.context("nothing to see")
    context = w.context("kernel")
    leaf, add, shl, const = (w.kind(name, inlined=name == "CONST") for name in ("LEAF", "ADD", "SHL", "CONST"))
    def chain(last, kind, count):
        for i in range(count):
            last = w.op(kind, [last], dtype="float32", argument=str(i))
        return last
    first, better = w.op(leaf, dtype="float"), w.op(leaf, dtype="half")
    root = chain(first, add, 60)
    w.graph_pass(empty, "nothing", root, w.location("passes.cpp", 1))
    w.graph_pass(context, "no match", root, w.location("passes.cpp", 2))
    simplify = w.graph_pass(context, "simplify", root, w.location("passes.cpp", 3))
    w.match(simplify, first, better, w.location("rules.cpp", 7, "float -> half"))
    after = chain(better, add, 60)
    w.match(simplify, after, w.op(shl, [chain(better, add, 59)], dtype="int"), w.location("rules.cpp", 9, "last + -> <<"))
`;

export function writeLongGraph({ folder }: Capture): string[] {
  const path = join(folder, "long.bin");
  execFileSync("python3", ["-B", "-c", kProgram, python, path]);
  return [path];
}
