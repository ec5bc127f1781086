// A memory whose allocator told of itself entry by entry, as the server answers it (server/http/API.md): over time by
// owner, at a moment by segment; and in words.
import type { WireOwner } from "./allocator-curve";
import { formatBytes } from "./bytes";
import { formatCount, formatPlural, nameOfPath } from "./text";

export interface WireMoment {
  /** The last entry that is done; -1: before the first. */
  entry: number;
  /** Null before the first entry. */
  at_ns: number | null;
}

export interface WireAllocatorBytes {
  reserved: number;
  allocated: number;
  active: number;
  requested: number;
}

export interface WireShape {
  segments: number;
  segments_wholly_free: number;
  free_blocks: number;
  inactive_bytes: number;
  largest_free_bytes: number;
  stuck_bytes: number;
  releasable_bytes: number;
  internal_bytes: number;
  pending_bytes: number;
}

/** An allocation's life. Times are null where it began before the first entry, or never ended. */
export interface WireLife {
  life: number;
  line: string;
  address: string;
  requested_bytes: number;
  block_bytes: number;
  born_entry: number;
  born_ns: number | null;
  freed_entry: number | null;
  freed_ns: number | null;
  completed_entry: number | null;
  completed_ns: number | null;
  is_lost: boolean;
  pool: readonly [number, number] | null;
  stream: string;
  /** For allocations of a backward pass: the user's line in the forward, if recorded. */
  forward_line: string | null;
  operator: string | null;
  phase: string | null;
  metadata: string | null;
  compile_context: string | null;
}

export interface WireOom extends WireMoment {
  asked_bytes: number;
  device_free_bytes: number | null;
  bytes: WireAllocatorBytes;
  shape: WireShape;
  is_fragmented: boolean;
  /** The device could have given it, but not to this process. */
  is_limited: boolean;
  reason: string;
  /** What lay in the stretch that would have been enough. */
  between: { address: string; size_bytes: number; alive_bytes: number; lives: WireLife[] } | null;
}

export interface NamedRange {
  name: string;
  from_ns: number;
  to_ns: number | null;
}

export interface WireAllocator {
  device: number;
  entries: number;
  allocations: number;
  /** The bytes that were there before the first entry. */
  before: number;
  is_exact: boolean;
  mismatched: number;
  peaks: Record<keyof WireAllocatorBytes, WireMoment & { bytes: number }>;
  start: WireAllocatorBytes;
  end: WireAllocatorBytes;
  /** The time of the last entry. */
  end_ns: number;
  shape: WireShape;
  oom_count: number;
  ooms: WireOom[];
  /** What the file does not tell. */
  lacking: string[];
  /** Names of ranges that come again and again: what is most likely the program's steps first. */
  steps: { name: string; count: number }[];
  range_count: number;
  ranges: NamedRange[];
}

export interface WireOwnerRow {
  id: number;
  owner: WireOwner;
  count: number;
  requested_bytes: number;
  block_bytes: number;
}

export interface WireOwners extends WireMoment {
  bytes: number;
  allocations: number;
  count: number;
  rows: WireOwnerRow[];
}

export interface WireSegment {
  address: string;
  size_bytes: number;
  pool: readonly [number, number] | null;
  stream: string;
  is_expandable: boolean;
  offset: number[];
  bytes: number[];
  owner: number[];
  life: number[];
  is_pending: number[];
}

export interface WireAllocatorState extends WireMoment {
  action: string | null;
  action_bytes: number;
  bytes: WireAllocatorBytes;
  shape: WireShape;
  segments: WireSegment[];
}

export interface WireLeak extends WireOwnerRow {
  by_step: number[];
}

export interface WireLives {
  count: number;
  block_bytes: number;
  rows: WireLife[];
}

/** What an event of a trace has to do with the memories of a snapshot of the same run. */
export interface WireEventMemory {
  /** What it asked for; of device work, what was allocated while it ran. */
  kind: "asked" | "alive";
  memories: (WireMoment & {
    /** The memory's lane. */
    path: string;
    device: number;
    /** The profiler reported allocations: by time alone nothing is sure. */
    is_sure: boolean;
    count: number;
    block_bytes: number;
    owner_count: number;
    /** The owners with the most bytes. */
    owners: { id: number; owner: WireOwner; count: number; block_bytes: number }[];
    /** The largest. */
    rows: WireLife[];
  })[];
}

export interface WireFrame {
  function: string;
  file: string;
  line: number;
  code: string | null;
}

export interface WireLifeDetail {
  life: WireLife;
  depth: number;
  frames: WireFrame[];
  forward_frames: WireFrame[];
  link?: {
    trace: string;
    status: "linked" | "by time" | "no report" | "no reports";
    event: { lane: string; index: number; start_ns: number; dur_ns: number; name: string } | null;
  };
}

export const kOwnerKinds = [
  "line",
  "way",
  "file",
  "operator",
  "node",
  "phase",
  "size",
  "pool",
  "stream",
  "annotation",
  "metadata",
  "compile",
] as const;
export type OwnerKind = (typeof kOwnerKinds)[number];

/** When: where most is allocated, at the end, or after an entry. */
export type AllocatorMoment = "peak" | "end" | number;

export function parseAllocatorMoment(text: string | undefined): AllocatorMoment {
  if (text === "end") return "end";
  return /^(-1|\d{1,10})$/.test(text ?? "") ? Number(text) : "peak";
}

export const formatAllocatorMoment = (at: AllocatorMoment): string | null => (at === "peak" ? null : String(at));

export const queryOfMoment = (at: AllocatorMoment): string => (typeof at === "number" ? `entry=${at}` : `at=${at}`);

/** Whether words pick allocations, as the server understands them (server/http/API.md). */
export const isLifeQuery = (text: string): boolean =>
  text
    .split(/ +/)
    .some((word) => /^(size[<>]\d|(frame|operator|phase|metadata|compile):.|(address:)?0x[\da-f]+$)/i.test(word));

/** A line "FILE:LINE:FUNCTION" taken apart; null where it is none. */
export function parseLine(text: string): { file: string; line: number; function: string } | null {
  const match = /^(.+):(\d+):([^:]*)$/.exec(text);
  return match === null ? null : { file: match[1]!, line: Number(match[2]), function: match[3]! };
}

/** "softmax nn_utils.py:6". */
export function sayLine(text: string): string {
  const line = parseLine(text);
  return line === null ? text : `${line.function} ${nameOfPath(line.file.replaceAll("\\", "/"))}:${line.line}`;
}

/** An owner as people read it. */
export function sayOwner(owner: WireOwner, kind: OwnerKind): string {
  if (owner === null) return kNotRecorded[kind] ?? "not recorded";
  if (kind === "compile" && owner === kNotCompiled) return "not compiled";
  if (kind === "size") return `${formatBytes(Number(owner))} and more`;
  if (kind === "pool" && Array.isArray(owner))
    return owner.every((n) => n === 0) ? "the usual pool" : `pool (${owner.join(", ")})`;
  if (kind === "stream") return owner === "0" ? "stream 0, the default" : `stream ${String(owner)}`;
  if (Array.isArray(owner)) return owner.map((line) => sayLine(String(line))).join(" › ");
  return sayLine(String(owner));
}

/** As torch writes of what no compiled region asked for. */
export const kNotCompiled = "N/A";

const kNotRecorded: Partial<Record<OwnerKind, string>> = {
  file: "no file of the user's on the stack",
  operator: "no operator on the stack",
  node: "not made by autograd, or its stack does not tell",
  phase: "no stack recorded",
  pool: "pool not recorded",
  annotation: "in no annotation",
  metadata: "no metadata",
  compile: "not compiled, or not recorded",
};

/** Whether a frame is a line of Python; others have no line to go to. */
export const isPython = ({ file, line }: { file: string; line: number }) => line > 0 && /\.py$|^</.test(file);

/** The moment that is shown, with its sums, in words: what is free, and why it cannot be had. */
export function sayShape({ shape, bytes }: { shape: WireShape; bytes: WireAllocatorBytes }): string[] {
  const words = [`${formatBytes(bytes.allocated)} allocated of ${formatBytes(bytes.reserved)} reserved`];
  if (shape.inactive_bytes > 0) {
    words.push(
      `${formatBytes(shape.inactive_bytes)} free in ${formatPlural(shape.free_blocks, "piece")}, ` +
        `the largest ${formatBytes(shape.largest_free_bytes)}`,
    );
    words.push(`empty_cache() would give back ${formatBytes(shape.releasable_bytes)}`);
    if (shape.stuck_bytes > 0) words.push(`${formatBytes(shape.stuck_bytes)} stuck beside something alive`);
  }
  if (shape.pending_bytes > 0)
    words.push(`${formatBytes(shape.pending_bytes)} freed, but still in use on another stream`);
  if (shape.internal_bytes > 0) words.push(`${formatBytes(shape.internal_bytes)} lost to rounding`);
  return words;
}

const kLimit =
  "The device could have given more, but not to this process: set_per_process_memory_fraction() limits it.";

/** Why memory ran out, in one sentence. */
export function sayOom(oom: WireOom): string {
  const { asked_bytes, shape, between, bytes, device_free_bytes } = oom;
  const asked = `${formatBytes(asked_bytes)} were asked for`;
  const free = device_free_bytes === null ? "" : `, ${formatBytes(device_free_bytes)} were free on the device`;
  if (!oom.is_fragmented) {
    const held = `${formatBytes(bytes.allocated)} were allocated, and ${formatBytes(shape.inactive_bytes)} free in segments`;
    const why =
      oom.reason === "too much" ? `too much: ${held}` : oom.is_limited ? `${oom.reason}: ${held}` : oom.reason;
    return `${asked}${free}: ${why}.`;
  }
  const pieces = `${formatBytes(shape.inactive_bytes)} were free in segments, but at most ${formatBytes(shape.largest_free_bytes)} in one piece`;
  const stood =
    between === null
      ? ""
      : ` ${formatPlural(between.lives.length, "allocation")} of ${formatBytes(between.alive_bytes)} ${between.lives.length === 1 ? "lies" : "lie"} in the stretch that would have been enough.`;
  const limited = oom.is_limited ? ` ${kLimit}` : "";
  return `${asked}${free}: fragmented. ${pieces}.${stood}${limited}`;
}

/** What the file does not tell. */
export function sayLacking({ lacking, before, allocations }: WireAllocator): string[] {
  if (before === 0) return lacking;
  const those = `${formatCount(before)} of ${formatPlural(allocations, "allocation")}`;
  return [...lacking, `the birth of ${those}, there before the first entry`];
}

/** "entry 3,737". */
export const sayEntry = (entry: number): string =>
  entry < 0 ? "before the first entry" : `entry ${formatCount(entry)}`;

/** The next of the moments that are marked after this entry; the first after the last. */
export function nextMoment(moments: readonly WireMoment[], entry: number): number | null {
  const after = moments.find((moment) => moment.entry > entry) ?? moments[0];
  return after === undefined ? null : after.entry;
}

export interface TreeRow {
  key: string;
  line: string;
  /** The owner whose way ends here; null if none does. */
  id: number | null;
  depth: number;
  hasMore: boolean;
  count: number;
  bytes: number;
}

/** Owners by way as a tree, the largest first; folded: keys of rows whose own rows are left out. */
export function treeOfWays(rows: readonly WireOwnerRow[], isOpen: (key: string, depth: number) => boolean): TreeRow[] {
  interface Node {
    id: number | null;
    count: number;
    bytes: number;
    below: Map<string, Node>;
  }
  const root: Node = { id: null, count: 0, bytes: 0, below: new Map() };
  for (const { id, owner, count, block_bytes } of rows) {
    let node = root;
    for (const line of Array.isArray(owner) ? owner.map(String) : [String(owner)]) {
      let next = node.below.get(line);
      if (next === undefined) node.below.set(line, (next = { id: null, count: 0, bytes: 0, below: new Map() }));
      next.count += count;
      next.bytes += block_bytes;
      node = next;
    }
    node.id = id;
  }
  const shown: TreeRow[] = [];
  const visit = (node: Node, depth: number, prefix: string) => {
    for (const [line, next] of [...node.below].sort(([, a], [, b]) => b.bytes - a.bytes)) {
      const key = `${prefix}\n${line}`;
      const hasMore = next.below.size > 0;
      const { id, count, bytes } = next;
      shown.push({ key, line, id, depth, hasMore, count, bytes });
      if (hasMore && isOpen(key, depth)) visit(next, depth + 1, key);
    }
  };
  visit(root, 0, "");
  return shown;
}
