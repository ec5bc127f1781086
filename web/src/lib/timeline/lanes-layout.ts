// Where each lane stands on the page, top to bottom: its rows of events, its counters, the memory it owns, as the user
// arranged them (lib/timeline/lanes-arrange.ts). Pixels from the top of the scrolled content.
import { arrange, type Arranged, type Arrangement } from "./lanes-arrange";
import type { Top } from "./sight";
import type { LaneInfo } from "./timeline";
export const kRowPitch_px = 19;
export const kBarHeight_px = 16;
/** A folded lane's height: all its rows fit into one line of text, where that can be. */
const kThinPitch_px = 5;
const kFoldedHeight_px = 26;
const kThinPadding_px = 4;
const kPadding_px = 6;
const kLeastHeight_px = 44;
/** Heights of plots: as they come, and after a click on their name. */
const kPlots_px = { memory: { plain: 64, turned: 300 }, counter: { plain: 32, turned: 120 } };
const kHeading_px = 26;

/** A lane's events, one of its counters, its memory, or the heading of a track that others stand under. */
export interface LaneBox {
  /** By which the arrangement knows it. */
  key: string;
  /** The track that it is of. */
  track: number;
  /** -1 of a heading. */
  lane: number;
  /** -1 of all but counters. */
  counter: number;
  kind: "events" | "counter" | "memory" | "heading";
  /** How many headings it stands under. */
  depth: number;
  /** For a heading: how many boxes stand under it, and whether they are folded away. */
  boxCount: number;
  isFolded: boolean;
  top: number;
  height: number;
  /** Where the first row begins, or the plot of the memory or counter. */
  content: number;
  contentHeight: number;
  /** From row to row; bars are thinner by a gap. */
  pitch: number;
}

export interface LaneLayout {
  /** By top, the pinned ones first. */
  boxes: LaneBox[];
  /** Height of the pinned boxes, which stay where they are while the others scroll. */
  pinned_px: number;
  /** Boxes left out by hand, and by the filter. */
  hiddenCount: number;
  filteredCount: number;
}

interface Content extends Arranged {
  lane: number;
  counter: number;
  kind: "events" | "counter" | "memory";
}

/** The boxes to stack, as the capture lists them. */
export function listBoxes(lanes: readonly LaneInfo[]): Content[] {
  const headings = findHeadings(lanes);
  const listed = lanes.map((lane, l) => ({ lane, l })).sort((a, b) => a.lane.place - b.lane.place);
  return listed.flatMap(({ lane, l }) => {
    const above = [...lane.above, l].filter((track) => headings.has(track)).map((track) => lanes[track]!.path);
    const make = (kind: Content["kind"], what = "", counter = -1): Content => ({
      key: lane.path + what,
      title: lane.title + what,
      above,
      lane: l,
      counter,
      kind,
    });
    return [
      ...(lane.rowCount > 0 ? [make("events")] : []),
      ...lane.counters.map(({ name }, counter) => make("counter", ` ${name}`, counter)),
      ...(lane.memory !== null ? [make("memory", " Memory")] : []),
    ];
  });
}

/** Tracks that others with something to show stand under. */
function findHeadings(lanes: readonly LaneInfo[]): Set<number> {
  return new Set(lanes.flatMap((lane) => (hasBoxes(lane) ? lane.above : [])));
}

function hasBoxes({ rowCount, counters, memory }: LaneInfo): boolean {
  return rowCount > 0 || counters.length > 0 || memory !== null;
}

/** Where that leaves room, plots of memory that are as they come grow into it: room_px is the height that is seen. */
export function layOutLanes(lanes: readonly LaneInfo[], wanted: Arrangement, room_px = 0): LaneLayout {
  const plain = stackLanes(lanes, wanted, 0);
  const growing = plain.boxes.filter(({ kind, key }) => kind === "memory" && !wanted.turned.has(key));
  const spare_px = room_px - heightOfLanes(plain.boxes);
  if (growing.length === 0 || spare_px <= 0) return plain;
  const { plain: least, turned: most } = kPlots_px.memory;
  return stackLanes(lanes, wanted, Math.min(Math.floor(spare_px / growing.length), most - least));
}

/** more_px: what each plain plot of memory is taller than it would be. */
function stackLanes(lanes: readonly LaneInfo[], wanted: Arrangement, more_px: number): LaneLayout {
  const { pinned, items, hiddenCount, filteredCount } = arrange(listBoxes(lanes), wanted);
  const trackOf = new Map(lanes.map(({ path }, track) => [path, track]));
  const boxes: LaneBox[] = [];
  let top = 0;
  const add = ({ key, lane, counter, kind }: Content, depth: number) => {
    const isTurned = wanted.turned.has(key);
    const isThin = kind === "events" && isTurned;
    const pitch = kind !== "events" ? 0 : isThin ? thinPitch(lanes[lane]!.rowCount) : kRowPitch_px;
    const contentHeight = kind === "events" ? lanes[lane]!.rowCount * pitch : heightOfPlot(kind, isTurned);
    const padding = isThin ? kThinPadding_px : kPadding_px;
    const height = Math.max(contentHeight + 2 * padding, isThin ? kFoldedHeight_px : kLeastHeight_px);
    const place = { top, height, content: top + padding, contentHeight, pitch };
    boxes.push({ key, track: lane, lane, counter, kind, depth, boxCount: 0, isFolded: false, ...place });
    top += height;
  };
  const heightOfPlot = (kind: "counter" | "memory", isTurned: boolean) =>
    kPlots_px[kind][isTurned ? "turned" : "plain"] + (kind === "memory" && !isTurned ? more_px : 0);
  pinned.forEach((box) => add(box, 0));
  const pinned_px = top;
  for (const item of items) {
    if (item.kind === "box") {
      add(item.box, item.depth);
      continue;
    }
    const { path, depth, boxCount, isFolded } = item;
    const place = { top, height: kHeading_px, content: top, contentHeight: 0, pitch: 0 };
    const what = {
      key: keyOfHeading(path),
      track: trackOf.get(path)!,
      lane: -1,
      counter: -1,
      kind: "heading",
    } as const;
    boxes.push({ ...what, depth, boxCount, isFolded, ...place });
    top += kHeading_px;
  }
  return { boxes, pinned_px, hiddenCount, filteredCount };
}

function thinPitch(rowCount: number): number {
  const room_px = kFoldedHeight_px - 2 * kThinPadding_px;
  return Math.min(Math.max(Math.floor(room_px / Math.max(rowCount, 1)), 1), kThinPitch_px);
}

/** No box of a lane has it: a path does not end so. */
function keyOfHeading(path: string): string {
  return `${path}/`;
}

/** Paths of the tracks that can be folded. */
export function listFoldable(lanes: readonly LaneInfo[]): string[] {
  return [...findHeadings(lanes)].map((track) => lanes[track]!.path);
}

export function heightOfLanes(boxes: readonly LaneBox[]): number {
  const last = boxes[boxes.length - 1];
  return last === undefined ? 0 : last.top + last.height;
}

/** How far the lanes are scrolled, by box; null at the very top. */
export function topAt({ boxes, pinned_px }: LaneLayout, scroll_px: number): Top | null {
  const box = scroll_px <= 0 ? null : findBoxAt(boxes, pinned_px + scroll_px);
  return box === null ? null : { key: box.key, above_px: Math.round(pinned_px + scroll_px - box.top) };
}

/** How far to scroll for that; null where the box is not there. */
export function scrollOf({ boxes, pinned_px }: LaneLayout, top: Top | null): number | null {
  if (top === null) return 0;
  const box = boxes.find(({ key }) => key === top.key);
  return box === undefined ? null : box.top + top.above_px - pinned_px;
}

/** The boxes, from (inclusive) to to (exclusive), that show between two heights. */
export function findBoxes(boxes: readonly LaneBox[], from_px: number, to_px: number): [from: number, to: number] {
  const from = countBoxes(boxes, (box) => box.top + box.height <= from_px);
  return [
    from,
    Math.max(
      from,
      countBoxes(boxes, (box) => box.top < to_px),
    ),
  ];
}

export function findBoxAt(boxes: readonly LaneBox[], y_px: number): LaneBox | null {
  const [from, to] = findBoxes(boxes, y_px, y_px + 1);
  return from < to ? boxes[from]! : null;
}

/** The row of a box at this height, or -1 between rows and beside them. */
export function rowAt(box: LaneBox, y_px: number): number {
  const row = Math.floor((y_px - box.content) / box.pitch);
  return box.kind === "events" && y_px >= box.content && row * box.pitch < box.contentHeight ? row : -1;
}

function countBoxes(boxes: readonly LaneBox[], isBefore: (box: LaneBox) => boolean): number {
  let low = 0;
  let high = boxes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(boxes[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
