// The executions of a context, as the server tells of them (server/http/API.md): the longest first.
import { linkToEvent } from "./links";
import type { Link } from "./place";

/** How often and how long some events run; what each figure means is in docs/figures.md. */
export interface WireFigures {
  count: number;
  total_ns: number;
  self_ns: number;
  /** In which at least one of them runs, in each lane by itself. */
  covered_ns: number;
  mean_ns: number;
  median_ns: number;
  p90_ns: number;
  max_ns: number;
}

export interface WireExecutions extends WireFigures {
  min_ns: number;
  /** By execution, of the longest ones: the path of its lane, its index there. */
  lane: string[];
  index: number[];
  start_ns: number[];
  dur_ns: number[];
}

/** To an execution on the timeline; name: the context's, without colours. */
export function linkToExecution(
  { lane, index, start_ns, dur_ns }: WireExecutions,
  execution: number,
  name: string,
): Link {
  return linkToEvent({
    lane: lane[execution]!,
    index: index[execution]!,
    start_ns: start_ns[execution]!,
    dur_ns: dur_ns[execution]!,
    name,
  });
}
