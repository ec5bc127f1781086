// The answer of /api/v1/compare/memory.
import type { WireMoment } from "../../lib/allocator";

export interface ComparedLine {
  /** What the two were matched by. */
  name: string;
  a_line: string;
  b_line: string;
  a_count: number;
  b_count: number;
  a_requested_bytes: number;
  b_requested_bytes: number;
  a_bytes: number;
  b_bytes: number;
  delta_bytes: number;
  state: "added" | "removed" | "both";
}

export interface ComparedSide {
  key: string;
  lane: number;
  device: number;
  peak_bytes: number;
  end_bytes: number;
  reserved_bytes: number;
  peak: WireMoment;
  /** The range that is compared; null: all the time. */
  range: string | null;
  /** All devices of its capture, and names of ranges of this one. */
  devices: number[];
  named: string[];
  /** The first begin of ranges of a name. */
  ranges: { name: string; from_ns: number }[];
  from_ns: number;
  to_ns: number;
}

export interface WireComparedMemory {
  a: ComparedSide;
  b: ComparedSide;
  peak: ComparedLine[];
  end: ComparedLine[];
}
