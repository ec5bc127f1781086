// What the timeline's canvases draw, and where: the axis on top, the lanes under it, scrolled. All in CSS pixels from
// the canvas's top left corner.
import type { EventRef, Profile } from "../lib/lanes";
import type { AllocationRef } from "../lib/lanes-find";
import { findBoxes, kBarHeight_px, kRowPitch_px, type LaneBox } from "../lib/lanes-layout";
import type { Area } from "../lib/lanes-stats";
import { nsOfPixel, type Scale, type Span } from "../lib/lanes-spans";
import { makeMemoryAxis, type MemoryAxis } from "../lib/memory-axis";
import type { Memory } from "../lib/memory";
import type { MemoryView } from "../lib/timeline-place";
import type { TimeRange } from "../lib/time";
import type { LaneColours } from "./lanes-colours";
import type { Palette } from "./palette";

export const kAxis_px = 30;
const kMarkerStrip_px = 16;
export const kLabelFont_px = 11;

export interface TimelineScene {
  profile: Profile;
  boxes: readonly LaneBox[];
  scale: Scale;
  height_px: number;
  /** Where the lanes begin: under the axis and, where there are markers, their names. */
  top_px: number;
  scroll_px: number;
  /** Height of the boxes on top that do not scroll. */
  stuck_px: number;
  palette: Palette;
  colours: LaneColours;
  /** Width of a character of the label font. */
  letter_px: number;
  /** By string, whether the search finds it. */
  found: Uint8Array | null;
  memory: MemoryView;
  /** What is drawn of a row, by time. */
  spansOf: (lane: number, row: number) => readonly Span[];
}

/** What lies over the lanes and changes without them. */
export interface TimelineMarks {
  hovered: EventRef | AllocationRef | null;
  selected: EventRef | AllocationRef | null;
  /** Index into Profile.nameOf: events of this name are lit. */
  name: number | null;
  area: Area | null;
  /** Kept time ranges, and the one last set. */
  marks: readonly TimeRange[];
  cursor_ns: number | null;
}

/** What of a box is seen, top and bottom: those that scroll go under those that do not. */
export function findEdges(scene: TimelineScene, box: LaneBox): [top: number, bottom: number] {
  const top = yOf(scene, box.top);
  const limit = box.top < scene.stuck_px ? scene.top_px : scene.top_px + scene.stuck_px;
  return [Math.max(top, limit), Math.min(Math.max(top + box.height, limit), scene.height_px)];
}

/** Rows of a box that are seen, from (inclusive) to to (exclusive). */
export function findShownRows(scene: TimelineScene, box: LaneBox): [from: number, to: number] {
  const first = yOf(scene, box.content);
  const rows = box.pitch > 0 ? box.contentHeight / box.pitch : 0;
  const from = Math.max(Math.floor((scene.top_px - first) / box.pitch), 0);
  return [from, Math.max(Math.min(Math.ceil((scene.height_px - first) / box.pitch), rows), from)];
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export function topOfLanes(profile: Profile): number {
  return kAxis_px + (profile.markers.length > 0 ? kMarkerStrip_px : 0);
}

export function xOf(scale: Scale, at: number): number {
  return (at - scale.range.from) / nsOfPixel(scale);
}

export function timeOf(scale: Scale, x_px: number): number {
  return scale.range.from + x_px * nsOfPixel(scale);
}

/** The canvas's y of a height in the content, at the top of a box or inside. */
export function yOf(scene: TimelineScene, content_px: number): number {
  return scene.top_px + content_px - (content_px < scene.stuck_px ? 0 : scene.scroll_px);
}

/** The height in the content that is drawn at this y. */
export function contentAt(scene: TimelineScene, y: number): number {
  const below = y - scene.top_px;
  return below < scene.stuck_px ? below : below + scene.scroll_px;
}

/** The boxes of which something is seen, those that do not scroll first. */
export function findShownBoxes(scene: TimelineScene): readonly LaneBox[] {
  const { boxes, scroll_px, stuck_px } = scene;
  const [, stuck] = findBoxes(boxes, 0, stuck_px);
  const [from, to] = findBoxes(boxes, scroll_px + stuck_px, scroll_px + scene.height_px - scene.top_px);
  return [...boxes.slice(0, stuck), ...boxes.slice(Math.max(from, stuck), to)];
}

/** Bars are thinner than their row's pitch by a gap. */
export function barHeightOf(box: LaneBox): number {
  return box.pitch === kRowPitch_px ? kBarHeight_px : box.pitch - 1;
}

export function boxOfEvent(scene: TimelineScene, ref: EventRef): Box | null {
  const lane = scene.profile.lanes[ref.lane];
  const box = scene.boxes.find((b) => b.lane === ref.lane && b.kind === "events");
  if (lane === undefined || box === undefined) return null;
  const x = xOf(scene.scale, lane.start[ref.event]!);
  const end = xOf(scene.scale, lane.start[ref.event]! + lane.dur[ref.event]!);
  return {
    x,
    y: yOf(scene, box.content + lane.row[ref.event]! * box.pitch),
    w: Math.max(end - x, 1),
    h: barHeightOf(box),
  };
}

export function boxOfAllocation(scene: TimelineScene, ref: AllocationRef): Box | null {
  const memory = scene.profile.lanes[ref.lane]?.memory;
  const box = scene.boxes.find((b) => b.lane === ref.lane && b.kind === "memory");
  if (memory == null || box === undefined) return null;
  if (scene.memory.shown === "categories") return null;
  const i = ref.allocation;
  const axis = memoryAxisOf(scene, memory);
  const x = axis.xOf(memory.birth[i]!);
  const end = axis.xOf(Math.min(memory.death[i]!, scene.profile.dur_ns));
  const top = byteToY(scene, box, memory.offset[i]! + memory.size_bytes[i]!, memory.height_bytes);
  const bottom = byteToY(scene, box, memory.offset[i]!, memory.height_bytes);
  return { x, y: top, w: Math.max(end - x, 1), h: Math.max(bottom - top, 1) };
}

export function memoryAxisOf(scene: TimelineScene, memory: Memory): MemoryAxis {
  return makeMemoryAxis(memory, scene.scale, scene.memory.order);
}

export function byteToY(scene: TimelineScene, box: LaneBox, byte: number, height_bytes: number): number {
  const share = height_bytes > 0 ? byte / height_bytes : 0;
  return yOf(scene, box.content) + box.contentHeight * (1 - share);
}

export function byteAtY(box: LaneBox, content_px: number, height_bytes: number): number {
  return (1 - (content_px - box.content) / box.contentHeight) * height_bytes;
}
