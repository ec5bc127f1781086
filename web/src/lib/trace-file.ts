// A step or a stretch of time as a trace file, which the server cuts out of the capture.
import { pathOfCapture } from "./api";
import { kNoScope, queryOfScope, type Scope } from "./scope";

export type TraceFormat = "pftrace" | "chrome" | "bin";

/** Where the server has it. Ranks, devices and kernels are not cut: a trace has all that went on meanwhile. */
export function pathOfTrace(capture: { id: string }, { step, range }: Scope, format: TraceFormat): string {
  return pathOfCapture(`/api/v1/trace?to_format=${format}${queryOfScope({ ...kNoScope, step, range })}`, capture.id);
}
