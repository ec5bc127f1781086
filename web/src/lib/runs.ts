// The runs of a context, as the server tells of them (server/http/API.md): the longest first.
import { linkToEvent } from "./links";
import type { Link } from "./place";

export interface WireRuns {
  count: number;
  total_ns: number;
  min_ns: number;
  median_ns: number;
  max_ns: number;
  /** By run, of the longest ones: the name of its lane, its index there. */
  lane: string[];
  index: number[];
  start_ns: number[];
  dur_ns: number[];
}

/** To a run on the timeline; name: the context's, without colours. */
export function linkToRun({ lane, index, start_ns, dur_ns }: WireRuns, run: number, name: string): Link {
  return linkToEvent({
    lane: lane[run]!,
    index: index[run]!,
    start_ns: start_ns[run]!,
    dur_ns: dur_ns[run]!,
    name,
  });
}
