// The server's answers about one row of a comparison (server/http/API.md).
import type { LinkedEvent } from "../../lib/links";

export interface WireKernelSide {
  launches: number;
  /** The launches that are drawn: all, or the longest; by time. */
  drawn: LinkedEvent[];
  /** Not there where it was never launched. */
  min_ns?: number;
  median_ns?: number;
  p90_ns?: number;
  max_ns?: number;
}

export interface WireArgument {
  name: string;
  of: "launch" | "operator";
  differs: boolean;
  a: { value: string; launches: number }[];
  b: { value: string; launches: number }[];
}

/** The launches of a row in both captures. */
export interface WireKernelPair {
  a: WireKernelSide;
  b: WireKernelSide;
  bins: { edges_ns: number[]; a: number[]; b: number[] };
  arguments: WireArgument[];
  /** Arguments for which nearly every launch has another value. */
  left_out: string[];
}

export interface ChangedRule {
  pass: string;
  file: string;
  line: number;
  a_matches: number;
  b_matches: number;
}

interface PartedSide {
  /** Null where the context has no pass there. */
  pass: string | null;
  rule: [file: string, line: number] | null;
}

export interface FirstDifference {
  kind: "pass" | "input" | "rule" | "result" | "length";
  /** Place in both contexts. */
  pass: number;
  /** From 1; 0 where it is no match. */
  match: number;
  a: PartedSide;
  b: PartedSide;
  diff: string[];
  /** The number of lines of the whole diff. */
  diff_lines: number;
}

/** The compiler's work for a kernel in both captures. */
export interface WireParting {
  a_context: number | null;
  a_name: string | null;
  b_context: number | null;
  b_name: string | null;
  rules: ChangedRule[];
  /** Where both captures tell how it was made. */
  inputs_differ?: boolean;
  input_diff?: string[];
  input_diff_lines?: number;
  first?: FirstDifference | null;
}
