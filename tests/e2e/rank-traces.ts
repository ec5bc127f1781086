// Traces of the ranks of a small job, for tests of what is seen of several ranks.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Capture } from "./harness";

/** Two ranks of a job whose second is late at every collective. */
export async function writeRanks({ folder }: Capture): Promise<string[]> {
  const paths = [0, 1].map((rank) => join(folder, `rank_${rank}.json`));
  for (const rank of [0, 1]) {
    const span = (cat: string, name: string, tid: number, ts: number, dur: number, args: object) => ({
      ...{ ph: "X", cat, name, pid: cat === "kernel" ? rank : 9, tid, ts, dur },
      args: { device: rank, ...args },
    });
    const traceEvents = Array.from({ length: 4 }, (_, at) => [
      span("user_annotation", `ProfilerStep#${at}`, 9, 1000 * at, 1000, {}),
      span("kernel", "gemm", 7, 1000 * at + 10, 100 + 200 * rank, {}),
      span("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 8, 1000 * at + 120 + 200 * rank, 300 - 200 * rank, {
        "Collective name": "allreduce",
        "In msg nelems": 1024,
        "Out msg nelems": 1024,
        dtype: "Float",
        "Group size": 2,
        "Process Group Name": "0",
      }),
    ]).flat();
    const about = { distributedInfo: { backend: "nccl", rank, world_size: 2 }, baseTimeNanoseconds: 0 };
    await writeFile(paths[rank]!, JSON.stringify({ ...about, traceEvents }));
  }
  return paths;
}
