// The programs that a capture's contexts made, and whether launches of them were timed. Pure.
import type { WireKernel } from "../../lib/devices";
import type { WireContexts } from "../../lib/wire";

export interface ProgramMatches {
  /** The number of its context. */
  index: number;
  name: string;
  matches: number;
}

/** Lists programs, the most matches first. */
export function listPrograms({ contexts }: Pick<WireContexts, "contexts">): ProgramMatches[] {
  return contexts
    .flatMap(({ name, program, passes }, index) =>
      program ? [{ index, name, matches: passes.matches.reduce((sum, count) => sum + count, 0) }] : [],
    )
    .sort((a, b) => b.matches - a.matches);
}

/** Whether the capture has programs, and no launch of a kernel: some ways of recording leave their times out. */
export function lacksTimes(contexts: Pick<WireContexts, "contexts"> | null, kernels: readonly WireKernel[]): boolean {
  const hasProgram = contexts !== null && contexts.contexts.some(({ program }) => program);
  return hasProgram && !kernels.some((row) => row.class === "kernel");
}
