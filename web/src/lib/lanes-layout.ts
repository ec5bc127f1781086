// Where each lane stands on the page, top to bottom: its rows of events, then the memory it owns. Pixels from the top of
// the scrolled content.
import type { Lane } from "./lanes";

export const kRowPitch_px = 19;
export const kBarHeight_px = 16;
export const kThinPitch_px = 5;
const kPadding_px = 6;
const kLeastHeight_px = 44;
const kMemory_px = 64;
const kMemoryOpen_px = 300;

/** A lane's events, or its memory. */
export interface LaneBox {
  lane: number;
  kind: "events" | "memory";
  top: number;
  height: number;
  /** Where the first row begins, or the memory's plot. */
  content: number;
  contentHeight: number;
  /** From row to row; bars are thinner by a gap. */
  pitch: number;
}

/** How boxes are named where they are turned over by the user: thin rows of events, large memory. */
export function keyOfBox(laneName: string, kind: LaneBox["kind"]): string {
  return kind === "memory" ? `${laneName} Memory` : laneName;
}

/** Boxes by top. turned holds the keys of those that are not as they are at first. */
export function layOutLanes(lanes: readonly Lane[], turned: ReadonlySet<string>): LaneBox[] {
  const boxes: LaneBox[] = [];
  let top = 0;
  const add = (lane: number, kind: LaneBox["kind"], contentHeight: number, pitch: number) => {
    const height = Math.max(contentHeight + 2 * kPadding_px, kind === "memory" ? 0 : kLeastHeight_px);
    boxes.push({ lane, kind, top, height, content: top + kPadding_px, contentHeight, pitch });
    top += height;
  };
  lanes.forEach((lane, l) => {
    if (lane.rows.length > 0) {
      const pitch = turned.has(keyOfBox(lane.name, "events")) ? kThinPitch_px : kRowPitch_px;
      add(l, "events", lane.rows.length * pitch, pitch);
    }
    if (lane.memory !== null) {
      add(l, "memory", turned.has(keyOfBox(lane.name, "memory")) ? kMemoryOpen_px : kMemory_px, 0);
    }
  });
  return boxes;
}

export function heightOfLanes(boxes: readonly LaneBox[]): number {
  const last = boxes[boxes.length - 1];
  return last === undefined ? 0 : last.top + last.height;
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
