// The shapes of server/http/API.md, under its names. Columns are arrays of one length, one item a record.

export interface FileInfo {
  /** What the file is to its capture, in its format's words. */
  role: string;
  path: string;
  size_bytes: number;
  status: "ready" | "loading" | "broken" | "missing";
  error: string | null;
}

export interface CaptureInfo {
  id: string;
  name: string;
  format: string;
  revision: number;
  files: FileInfo[];
  has_rewrites: boolean;
  has_profile: boolean;
  contexts: number;
  passes: number;
  matches: number;
  events: number;
  allocations: number;
  /** Records left out, by reason. */
  skipped: Record<string, number>;
  warnings: string[];
}

export interface SessionInfo {
  version: string;
  revision: number;
  captures: CaptureInfo[];
  hint: { title: string; lines: string[] } | null;
}

/** File, line, and the source line where it may be read. */
export type WireLocation = [file: string, line: number, code: string | null];

export interface WireContext {
  name: string;
  program: boolean;
  passes: { name: number[]; depth: number[]; matches: number[]; location: number[] };
}

export interface WireContexts {
  capture: string;
  revision: number;
  locations: WireLocation[];
  pass_names: string[];
  contexts: WireContext[];
}

export interface WireKind {
  name: string;
  colour: string;
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

export interface WireLayout {
  epoch: number;
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
  /** Of so many nodes that it was laid out in a hurry. */
  coarse: boolean;
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

export interface WireProgram {
  name: string;
  device: string;
  language: string;
  source: string;
}

/** A lane as /api/v1/lanes has it. While the capture is being read there may be no more than its name. */
export interface WireLaneInfo {
  name: string;
  /** Names from the root of the tree of tracks down to it: what it is known by. */
  path?: string;
  /** "rank", "process", "device", "stream", …; "" for others. */
  kind?: string;
  /** Its place among the tracks; -1 at the root. */
  parent?: number;
  events?: number;
  rows?: number;
  relaned?: number;
  busy_ns?: number;
  hz?: number | null;
  counters?: { name: string; unit: string; samples: number; min: number; max: number }[];
  arguments?: { name: string; unit: string; events: number }[];
  memory?: null | {
    allocations: number;
    peak_bytes: number;
    peak_ns: number;
    end_bytes: number;
    height_bytes: number;
    addressed: boolean;
  };
}

export interface WireLanes {
  capture: string;
  revision: number;
  status: "ready" | "opening";
  /** While it is opening. What follows is then of as much as can be shown already; without a key nothing can. */
  progress?: { what: string; unit?: string; done: number; of: number | null };
  lanes?: WireLaneInfo[];
  key: string;
  /** The profile's start on the capture's own clock: a whole number too large for one of JSON's. */
  start?: string;
  dur_ns: number;
  events: number;
  flows: number;
  names: string[];
  name_count: number;
  markers: { at: number; name: string; colour: string }[];
}

export interface WireEvent {
  lane: number;
  index: number;
  row: number;
  name: number;
  label: string;
  start_ns: number;
  dur_ns: number;
  /** Beyond dur_ns: 0 to 999. */
  dur_ps: number;
  kind: "span" | "instant" | "unfinished" | "asynchronous";
  error: boolean;
}

export interface WireArgument {
  name: string;
  unit: string;
  value: number | string;
}

export interface WireEventDetail extends WireEvent {
  self_ns: number;
  category: string;
  context: number;
  pass: number;
  arguments: WireArgument[];
  parent: WireEvent | null;
  previous: WireEvent | null;
  next: WireEvent | null;
  incoming: WireEvent[];
  outgoing: WireEvent[];
  allocations: { lane: number; index: number }[];
}

/** One span of a tile. */
export interface WireSpan {
  events: number;
  start_ns: number;
  end_ns: number;
  busy_ns: number;
  name: number | null;
  name_ns: number;
  first: WireEvent;
  longest: WireEvent;
}

export interface WireHits {
  total: number;
  /** Of the first item among all. */
  rank: number | null;
  items: WireEvent[];
}

export interface WireDurations {
  count: number;
  sum_ns: number;
  least_ns: number;
  median_ns: number;
  p90_ns: number;
  max_ns: number;
  worst: { lane: number; index: number; start_ns: number };
  bins: { edges_ns: number[]; count: number[] };
}

export interface WireRange {
  events: number;
  busy_ns: number;
  exact: boolean;
  names: {
    name: number;
    label: string;
    count: number;
    sum_ns: number;
    inside_ns: number;
    self_ns: number;
    mean_ns: number;
    median_ns: number;
    p90_ns: number;
    max_ns: number;
    worst: { lane: number; index: number; start_ns: number };
  }[];
  others: { names: number; count: number; sum_ns: number; inside_ns: number };
}

export interface WireAllocation {
  index: number;
  key: number;
  size_bytes: number;
  share: number;
  count: number;
  dtype: string;
  category: string;
  birth_ns: number;
  /** -1 where it was never freed. */
  death_ns: number;
  offset: number;
  uses: number | null;
}

export interface WireMemorySummary {
  /** Allocations and frees. */
  orders: number;
  fragmentation: { at_peak: number; largest_hole_bytes: number } | null;
  categories: { name: string; allocations: number; peak_bytes: number; total_bytes: number }[];
}

export interface WireAllocationSet {
  bytes: number;
  count: number;
  items: WireAllocation[];
}
