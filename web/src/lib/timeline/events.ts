// An event and an allocation by themselves, and how they are told apart.
import type { TimeRange } from "../time";

/** In the order of their numbers in tiles. An instant takes no time; of an unfinished one the end is not known. */
export const kEventKinds = ["span", "instant", "unfinished", "asynchronous"] as const;
export type EventKind = (typeof kEventKinds)[number];

/** By its lane and its index there. */
export interface EventRef {
  lane: number;
  event: number;
}

/** By its lane and its place in order of birth. */
export interface AllocationRef {
  lane: number;
  allocation: number;
}

/** An event by itself. */
export interface EventItem extends EventRef {
  row: number;
  /** A number that two events share where their names are equal, colours aside. */
  name: number;
  /** With colours. */
  label: string;
  start: number;
  dur: number;
  /** Beyond dur: 0 to 999. */
  dur_ps: number;
  kind: EventKind;
  isError: boolean;
  /** Known of what a search found. */
  arguments?: readonly EventArgument[];
}

export interface EventArgument {
  name: string;
  unit: string;
  value: number | string;
}

export interface EventDetail {
  item: EventItem;
  self_ns: number;
  category: string;
  /** Where the event leads: a context and a pass of it, -1 where there is none. */
  context: number;
  pass: number;
  arguments: readonly EventArgument[];
  previous: EventItem | null;
  next: EventItem | null;
  /** The event around it. */
  parent: EventItem | null;
  /** Launches that lead here, kernels that it leads to. */
  incoming: readonly EventItem[];
  outgoing: readonly EventItem[];
  /** The call that launched it and all around that, the innermost first. */
  launchedIn: readonly LaunchFrame[];
  allocations: readonly { lane: number; allocation: number }[];
}

/** What device work was launched in. */
export interface LaunchFrame {
  item: EventItem;
  category: string;
  /** "call", "operator"; "" for others. */
  role: string;
  /** Around the forward operator, whose backward one launched it. */
  isForward: boolean;
}

/** One allocation by itself. */
export interface AllocationItem {
  lane: number;
  allocation: number;
  key: number;
  size_bytes: number;
  /** Share of the set that it is listed in. */
  share: number;
  count: number;
  dtype: string;
  category: string;
  birth: number;
  /** Infinity where it was never freed. */
  death: number;
  offset: number;
  /** Events that touch it; null where the capture does not tell. */
  uses: number | null;
  /** What it was made in; null where that is not known. */
  madeIn: EventItem | null;
}

export function rangeOfItem({ start, dur }: EventItem): TimeRange {
  return { from: start, to: start + dur };
}

export function isSameEvent(a: EventRef | null, b: EventRef | null): boolean {
  return a !== null && b !== null && a.lane === b.lane && a.event === b.event;
}
