// A trace of PyTorch's profiler made here, for tests of steps and of what figures are of.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Capture } from "./harness";

/** Four steps of 1 ms on two GPUs: a product in each, a longer one in the third. */
export async function writeSteps({ folder }: Capture): Promise<string[]> {
  const events: object[] = [];
  const span = (cat: string, name: string, pid: number, tid: number, ts: number, dur: number, args: object) =>
    events.push({ ph: "X", cat, name, pid, tid, ts, dur, args });
  for (let step = 0; step < 4; step++) {
    const at = 1000 * step;
    span("user_annotation", `ProfilerStep#${step}`, 9, 9, at, 1000, {});
    span("cuda_runtime", "cudaLaunchKernel", 9, 9, at + 10, 5, { correlation: step + 1 });
    for (const device of [0, 1]) {
      span("kernel", "gemm", device, 7, at + 50, step === 2 ? 600 : 200, { device, correlation: step + 1 });
      span("kernel", "copy_kernel", device, 7, at + 800, 50, { device });
    }
  }
  const path = join(folder, "steps.json");
  await writeFile(path, JSON.stringify({ traceEvents: events }));
  return [path];
}
