// A trace of PyTorch's profiler made here, for tests of what launched a kernel and of what a device waited for: one stream,
// two kernels with 400 µs between them, and the thread that was late.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Capture } from "./harness";

type Args = Record<string, unknown>;
const record = (cat: string, name: string, pid: number, tid: number, ts: number, dur: number, args: Args = {}) => ({
  ...{ ph: "X", cat, name, pid, tid, ts, dur, args },
});
export const kLongName = `void at::native::kernel<${"float, ".repeat(600)}int>()`;

/** A call on the launching thread, its kernel, and the arrow between them. */
function launch(correlation: number, at: number, name: string, begin: number, dur: number) {
  const flow = { cat: "ac2g", name: "ac2g", id: correlation };
  return [
    record("cuda_runtime", "cudaLaunchKernel", 1, 1, at, 2, { correlation }),
    { ...flow, ph: "s", pid: 1, tid: 1, ts: at },
    record("kernel", name, 0, 7, begin, dur, { device: 0, stream: 7, correlation }),
    { ...flow, ph: "f", bp: "e", pid: 0, tid: 7, ts: begin },
  ];
}

const kTrace = {
  deviceProperties: [{ id: 0, name: "Made-up 1" }],
  traceEvents: [
    { ph: "M", name: "process_name", pid: 1, args: { name: "python" } },
    record("Trace", "PyTorch Profiler (0)", 3, 1, 0, 1000),
    record("python_function", "main.py(7): run", 1, 1, 0, 900),
    record("python_function", "nn.Module: Linear_0", 1, 1, 5, 95),
    record("cpu_op", "aten::mm", 1, 1, 10, 50),
    ...launch(1, 20, kLongName, 100, 200),
    record("cpu_op", "aten::copy_", 1, 1, 320, 200),
    ...launch(2, 600, "gemm", 700, 200),
    ...Array.from({ length: 30 }, (_, i) => record("cpu_op", `load ${i % 8}`, 1, 2, i * 30, 25 - (i % 8))),
    ...Array.from({ length: 9 }, (_, i) => record("cpu_op", `read ${i}`, 1, 2, 901 + i, 18 - 2 * i)),
  ],
};

export async function writeLaunches({ folder }: Capture): Promise<string[]> {
  const path = join(folder, "trace.json");
  await writeFile(path, JSON.stringify(kTrace));
  return [path];
}

/** Moves to a time (µs) on a row of a lane of that trace, which is on screen whole. */
export async function pointAt(page: Page, lane: string, row: number, at_us: number): Promise<{ x: number; y: number }> {
  const plot = (await page.locator(".timeline-plot").boundingBox())!;
  const head = (await page.locator(".lane-head").filter({ hasText: lane }).boundingBox())!;
  const x = plot.x + (plot.width * (at_us + 10)) / 1020; // a hundredth of room at each side
  const y = head.y + 6 + 19 * row + 8;
  await page.mouse.move(x, y);
  return { x, y };
}
