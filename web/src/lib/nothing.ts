// What to say where there is nothing to show: there is none, the capture cannot know, or it lies outside of the scope.

/** What a capture may tell of, as server/analysis/recorded names it. */
export type Recordable =
  | "events"
  | "device_work"
  | "kernel_times"
  | "launches"
  | "runs"
  | "operators"
  | "graph_launches"
  | "server_steps"
  | "counters"
  | "samples"
  | "stacks"
  | "allocations"
  | "allocator"
  | "rewrites"
  | "programs"
  | "hardware";

/** GET /api/v1/recorded: what is not named is recorded. */
export interface WireRecorded {
  not_recorded: Partial<Record<Recordable, { why: string; how: string }>>;
}

/** scope: as text, "" where all is asked for. none: what it means that there is none. */
export function sayNothing(recorded: WireRecorded | null, of: Recordable, scope: string, none: string): string {
  const lacking = recorded?.not_recorded[of];
  if (lacking !== undefined) {
    const text = `Not recorded: ${lacking.why}${lacking.how === "" ? "" : `; ${lacking.how}`}`;
    return text.endsWith("…") ? text : `${text}.`;
  }
  if (scope !== "") return `Nothing in this scope (${scope}).`;
  return none;
}
