// Where each lane stands on the page, top to bottom: its rows of events, its counters, the memory it owns, as the user
// arranged them (lib/timeline/lanes-arrange.ts). Pixels from the top of the scrolled content.
import { lanesAtFirst } from "./lanes-at-first";
import { arrange, type Arranged, type Arrangement } from "./lanes-arrange";
import type { Top } from "./sight";
import type { LaneInfo } from "./timeline";
export const kRowPitch_px = 19;
export const kBarHeight_px = 16;
/** A folded lane's height: its rows fit into one line of text, or a strip stands for them that says how busy they are. */
const kThinPitch_px = 5;
const kFoldedHeight_px = 26;
const kThinPadding_px = 4;
const kMostThinRows = 6;
/** Lanes that a strip adds up: the busiest ones. */
const kMostOfStrip = 48;
const kPadding_px = 6;
const kLeastHeight_px = 44;
/** Heights of plots: as they come, and after a click on their name. */
const kPlots_px = { memory: { least: 16, plain: 64, turned: 300 }, counter: { least: 32, plain: 32, turned: 120 } };
/** A memory whose peak is so many times smaller than the greatest one's has the least height. */
const kLeastOfPeak = 1e5;
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
  /** For a heading: how many boxes stand under it. */
  boxCount: number;
  isFolded: boolean;
  /** Lanes whose busy share is drawn in place of what is folded; none where rows are drawn. */
  strip: readonly number[];
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

/** The boxes to stack, as they stand at first. */
export function listBoxes(lanes: readonly LaneInfo[]): Content[] {
  const headings = findHeadings(lanes);
  const { rankOf } = lanesAtFirst(lanes);
  const boxes = lanes.flatMap((lane, l) => {
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
  // Sorting is stable: boxes of one rank stay together.
  return boxes
    .map((box) => ({ box, rank: rankOf(box.lane, box.kind === "memory") }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ box }) => box);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, i) => rank !== b[i]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
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
  const greatest_bytes = Math.max(...lanes.map(({ memory }) => memory?.peak_bytes ?? 0));
  const shares = growing.map(({ lane }) => shareOfHeight(lanes[lane]!.memory!.peak_bytes, greatest_bytes));
  const sum = shares.reduce((total, share) => total + share, 0);
  return stackLanes(lanes, wanted, Math.min(Math.floor(spare_px / Math.max(sum, 1)), most - least));
}

/** more_px: what each plain plot of memory is taller than it would be. */
function stackLanes(lanes: readonly LaneInfo[], wanted: Arrangement, more_px: number): LaneLayout {
  const { folded: foldedAtFirst } = lanesAtFirst(lanes);
  const { pinned, items, hiddenCount, filteredCount } = arrange(listBoxes(lanes), wanted, foldedAtFirst);
  const folded = wanted.folded ?? foldedAtFirst;
  const greatest_bytes = Math.max(...lanes.map(({ memory }) => memory?.peak_bytes ?? 0));
  const trackOf = new Map(lanes.map(({ path }, track) => [path, track]));
  const boxes: LaneBox[] = [];
  let top = 0;
  const add = ({ key, lane, counter, kind }: Content, depth: number) => {
    const isTurned = wanted.turned.has(key);
    const { rowCount, memory } = lanes[lane]!;
    const isFolded = kind === "events" && (isTurned || folded.has(key));
    const isStrip = isFolded && rowCount > kMostThinRows;
    const pitch = kind !== "events" || isStrip ? 0 : isFolded ? thinPitch(rowCount) : kRowPitch_px;
    const contentHeight = isStrip
      ? kFoldedHeight_px - 2 * kThinPadding_px
      : kind === "events"
        ? rowCount * pitch
        : heightOfPlot(kind, isTurned, kind === "memory" ? shareOfHeight(memory!.peak_bytes, greatest_bytes) : 0);
    const padding = isFolded ? kThinPadding_px : kPadding_px;
    const isLow = isFolded || (kind === "memory" && contentHeight < kPlots_px.memory.plain / 2);
    const height = Math.max(contentHeight + 2 * padding, isLow ? kFoldedHeight_px : kLeastHeight_px);
    const place = { top, height, content: top + padding, contentHeight, pitch };
    const strip = isStrip ? [lane] : [];
    boxes.push({ key, track: lane, lane, counter, kind, depth, boxCount: 0, isFolded, strip, ...place });
    top += height;
  };
  const heightOfPlot = (kind: "counter" | "memory", isTurned: boolean, share: number) => {
    const { least, plain, turned } = kPlots_px[kind];
    return isTurned ? turned : Math.round(least + share * (plain - least + (kind === "memory" ? more_px : 0)));
  };
  pinned.forEach((box) => add(box, 0));
  const pinned_px = top;
  for (const item of items) {
    if (item.kind === "box") {
      add(item.box, item.depth);
      continue;
    }
    const { path, depth, boxes: under, isFolded } = item;
    const place = {
      top,
      height: kHeading_px,
      content: top + kThinPadding_px,
      contentHeight: kHeading_px - 2 * kThinPadding_px,
      pitch: 0,
    };
    const what = {
      key: keyOfHeading(path),
      track: trackOf.get(path)!,
      lane: -1,
      counter: -1,
      kind: "heading",
    } as const;
    const strip = isFolded ? lanesOfStrip(lanes, under) : [];
    boxes.push({ ...what, depth, boxCount: under.length, isFolded, strip, ...place });
    top += kHeading_px;
  }
  return { boxes, pinned_px, hiddenCount, filteredCount };
}

/** The lanes with events among boxes, the busiest ones where there are many. */
function lanesOfStrip(lanes: readonly LaneInfo[], boxes: readonly Content[]): number[] {
  const busy = boxes.filter(({ kind }) => kind === "events").map(({ lane }) => lane);
  return busy.sort((a, b) => lanes[b]!.busy_ns - lanes[a]!.busy_ns).slice(0, kMostOfStrip);
}

/** Rows of a lane of which one is busy whenever the lane is: those below lie inside them. */
export function rowsOfStrip({ rowCount, relaned }: LaneInfo): number {
  return relaned === 0 ? Math.min(rowCount, 1) : Math.min(rowCount, kMostThinRows);
}

/** How much of the height between the least and the most a memory takes, by the logarithm of its peak. */
function shareOfHeight(peak_bytes: number, greatest_bytes: number): number {
  const smaller = Math.max(greatest_bytes, 1) / Math.max(peak_bytes, 1);
  return Math.max(1 - Math.log(smaller) / Math.log(kLeastOfPeak), 0);
}

function thinPitch(rowCount: number): number {
  const room_px = kFoldedHeight_px - 2 * kThinPadding_px;
  return Math.min(Math.max(Math.floor(room_px / Math.max(rowCount, 1)), 1), kThinPitch_px);
}

/** No box of a lane has it: a path does not end so. */
function keyOfHeading(path: string): string {
  return `${path}/`;
}

/** Paths of the tracks that can be folded: headings, and lanes that stand under none. */
export function listFoldable(lanes: readonly LaneInfo[]): string[] {
  const headings = findHeadings(lanes);
  const isAlone = ({ above, rowCount }: LaneInfo) => rowCount > 0 && !above.some((track) => headings.has(track));
  return lanes.flatMap((lane, l) => (headings.has(l) || isAlone(lane) ? [lane.path] : []));
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
