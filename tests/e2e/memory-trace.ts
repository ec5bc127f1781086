// A trace of PyTorch's profiler made here, for tests of who held a device's memory: two threads, modules, Python functions.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Capture } from "./harness";

const kMegabyte = 1_000_000;

/** Forward on one thread, backward on another; what was there before; something that is never freed. */
export async function writeAllocations({ folder }: Capture): Promise<string[]> {
  const path = join(folder, "train.json");
  const span = (cat: string, name: string, tid: number, ts: number, dur: number) => {
    return { ph: "X", cat, name, pid: 7, tid, ts, dur, args: {} };
  };
  let total = 100 * kMegabyte;
  const report = (tid: number, ts: number, megabytes: number, address: number) => {
    total += megabytes * kMegabyte;
    const device = { "Device Type": 1, "Device Id": 0, "Total Allocated": total, "Total Reserved": 2 * total };
    const args = { Bytes: megabytes * kMegabyte, Addr: address, ...device };
    return { ph: "i", s: "t", cat: "cpu_instant_event", name: "[memory]", pid: 7, tid, ts, args };
  };
  const traceEvents = [
    span("python_function", "train.py(12): step", 1, 0, 900),
    span("python_function", "nn.Module: Net_0", 1, 10, 380),
    span("python_function", "nn.Module: Linear_0", 1, 20, 80),
    span("cpu_op", "aten::linear", 1, 30, 60),
    span("cpu_op", "aten::addmm", 1, 31, 50),
    span("cpu_op", "aten::empty", 1, 32, 10),
    span("cpu_op", "aten::relu", 1, 150, 20),
    span("cpu_op", "aten::sum", 1, 600, 20),
    span("cpu_op", "MmBackward0", 2, 400, 100),
    report(1, 35, 30, 4096),
    report(1, 155, 8, 1 << 27),
    report(2, 410, 40, 1 << 28),
    report(2, 450, -30, 4096),
    report(1, 480, -5, 1 << 29),
    report(2, 490, -40, 1 << 28),
    report(1, 605, 1, 1 << 30),
  ];
  await writeFile(path, JSON.stringify({ traceEvents }));
  return [path];
}
