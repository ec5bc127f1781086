// The shapes of server/http/API.md, under its names: a pass, match by match.
import type { WireLocation } from "../wire";

export interface WireKind {
  name: string;
  colour: string;
  /** How many of such an op's first sources are a body of its own, which can be left out: 1 of a call. */
  body: number;
}

export interface WireNodes {
  id: number[];
  kind: number[];
  label: number[];
  inlined: number[];
  ref: number[];
  tag: (string | null)[];
}

export interface WireGraph {
  states: number;
  locations: WireLocation[];
  kinds: WireKind[];
  labels: string[];
  nodes: WireNodes;
  edges: { source: number[]; user: number[]; port: number[] };
  root: number;
  x: number[];
  y: number[];
  w: number[];
  h: number[];
  width: number;
  height: number;
  epoch: number;
}

export interface WireMatches {
  from: number;
  to: number;
  rule: number[];
  dur_ns: number[] | null;
  labels: string[];
  kinds: WireKind[];
  nodes: WireNodes & { born: number[] };
  deaths: { id: number[]; state: number[]; into: number[] };
  versions: WireNodes & { state: number[] };
  edges: { source: number[]; user: number[]; port: number[]; born: number[] };
  edge_deaths: { edge: number[]; state: number[] };
  roots: { state: number[]; id: number[] };
  errors: [state: number, text: string][];
}

/** What a layout is of: an epoch of the pass, such an epoch with more time or from top to bottom, a state, a part of one. */
export type LayoutKind = "epoch" | "better" | "down" | "state" | "view";

export interface WireLayout {
  kind: LayoutKind;
  /** The number of the epoch, or the state. */
  number: number;
  from: number;
  to: number;
  id: number[];
  x: number[];
  y: number[];
  w: number[];
  h: number[];
  edges: { edge: number[]; cut: number[]; back: number[]; points: number[][] };
  width: number;
  height: number;
  cut_share: number;
  optimal: boolean;
  /** Whether the graph has so many nodes that it was laid out in a hurry. */
  coarse: boolean;
  /** From top to bottom. */
  down?: boolean;
  /** About how large it would be so: width and height. */
  size_down?: [width: number, height: number];
}

export interface WireProgress {
  done: number;
  of: number;
  what: string;
}

export interface WireDone {
  replay_ms: number;
  layout_ms: number;
  nodes: number;
  edges: number;
}

export interface WireMatch {
  rule: { file: string; line: number; code: string | null };
  dur_ns: number | null;
  diff: string[];
  before: string;
  after: string;
  changed: number[];
}
