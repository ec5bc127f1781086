// The scene that the timeline's canvases draw: the axis on top, the lanes under it, scrolled. All in CSS pixels from
// the canvas's top left corner.
import type { Clock } from "../../lib/timeline/clock";
import { findBoxes, kBarHeight_px, kRowPitch_px, type LaneBox } from "../../lib/timeline/lanes-layout";
import type { Area } from "../../lib/timeline/stats";
import { listRunKinds } from "../../lib/timeline/runs";
import { nsOfPixel, type Scale } from "../../lib/timeline/spans";
import type { DrawnGap } from "../../lib/timeline/idle";
import type { AllocationItem, EventItem } from "../../lib/timeline/events";
import type { Timeline } from "../../lib/timeline/timeline";
import type { MemoryPicture } from "../../lib/timeline/memory-picture";
import type { ColourBy, MemoryView } from "../../lib/timeline/sight";
import type { Picture } from "../../lib/timeline/source";
import type { TimeRange } from "../../lib/time";
import type { LaneColours } from "./colours";
import type { Palette } from "../palette";

export const kAxis_px = 30;
export const kMarkerStrip_px = 16;
/** The height of a row of runs under the axis; each kind of runs has one. */
export const kRunRow_px = 15;
/** The width of the button that chooses the axis's unit. */
export const kClockButton_px = 84;
export const kLabelFont_px = 11;

export interface TimelineScene {
  timeline: Timeline;
  boxes: readonly LaneBox[];
  scale: Scale;
  /** The unit of the axis. */
  clock: Clock;
  /** Where its labels end: what it counts may be chosen at its right end. */
  axisEnd_px: number;
  height_px: number;
  /** Where the lanes begin: under the axis and, where there are markers, their names. */
  top_px: number;
  scroll_px: number;
  /** Height of the boxes on top that do not scroll. */
  stuck_px: number;
  palette: Palette;
  colours: LaneColours;
  /** The source of events' colours. */
  colourBy: ColourBy;
  /** Times in which devices did nothing, as far as they are there. */
  gaps: readonly DrawnGap[];
  /** Width of a character of the label font. */
  letter_px: number;
  memory: MemoryView;
  /** The pictures of a lane's memory that are there, and where a range of time lies in them. */
  memoryOf: (lane: number) => MemoryPicture | null;
  changesOf: (lane: number, range: TimeRange) => TimeRange;
  picture: Picture;
}

/** A stretch of the critical path. */
export interface PathPart {
  lane: number;
  from: number;
  to: number;
}

/** The marks that lie over the lanes and change without them. */
export interface TimelineMarks {
  hovered: Box | null;
  selected: EventItem | AllocationItem | null;
  /** Arrows from an event to what it led to. */
  flows: readonly (readonly [from: EventItem, to: EventItem])[];
  /** Events of this name are lit; without colours. */
  name: string | null;
  area: Area | null;
  /** The time that figures are of: what lies outside is dimmed. Null: all. */
  scope: TimeRange | null;
  /** The gap whose cause is told. */
  gap: DrawnGap | null;
  /** Kept time ranges, and the one last set. */
  marks: readonly TimeRange[];
  /** The critical path, in order of time; null where it is not drawn. */
  path: readonly PathPart[] | null;
  cursor_ns: number | null;
}

/** The top and bottom of the part of a box that is seen: boxes that scroll go under those that do not. */
export function findEdges(scene: TimelineScene, box: LaneBox): [top: number, bottom: number] {
  const top = yOf(scene, box.top);
  const limit = box.top < scene.stuck_px ? scene.top_px : scene.top_px + scene.stuck_px;
  return [Math.max(top, limit), Math.min(Math.max(top + box.height, limit), scene.height_px)];
}

/** Rows of a box that are seen, from (inclusive) to to (exclusive). */
export function findShownRows(scene: TimelineScene, box: LaneBox): [from: number, to: number] {
  const first = yOf(scene, box.content);
  const rows = box.pitch > 0 ? box.contentHeight / box.pitch : 0;
  if (rows === 0) return [0, 0];
  const from = Math.max(Math.floor((scene.top_px - first) / box.pitch), 0);
  return [from, Math.max(Math.min(Math.ceil((scene.height_px - first) / box.pitch), rows), from)];
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export function topOfLanes({ markers, runs }: Timeline): number {
  return kAxis_px + listRunKinds(runs).length * kRunRow_px + (markers.length > 0 ? kMarkerStrip_px : 0);
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

/** The boxes that are at least partly seen; first those that do not scroll. */
export function findShownBoxes(scene: TimelineScene): readonly LaneBox[] {
  const { boxes, scroll_px, stuck_px } = scene;
  const [, stuck] = findBoxes(boxes, 0, stuck_px);
  const [from, to] = findBoxes(boxes, scroll_px + stuck_px, scroll_px + scene.height_px - scene.top_px);
  return [...boxes.slice(0, stuck), ...boxes.slice(Math.max(from, stuck), to)];
}

/** Bars are thinner than their row's pitch by a gap. */
export function barHeightOf(box: LaneBox): number {
  if (box.strip.length > 0) return box.contentHeight;
  return box.pitch === kRowPitch_px ? kBarHeight_px : box.pitch - 1;
}

export function boxOfEvent(scene: TimelineScene, item: EventItem): Box | null {
  const box = scene.boxes.find((b) => b.lane === item.lane && b.kind === "events");
  if (box === undefined) return null;
  const x = xOf(scene.scale, item.start);
  const end = xOf(scene.scale, item.start + item.dur);
  return { x, y: yOf(scene, box.content + item.row * box.pitch), w: Math.max(end - x, 1), h: barHeightOf(box) };
}

/** Where memory is drawn in order of its changes, a time has no place of its own. */
export function boxOfAllocation(scene: TimelineScene, item: AllocationItem): Box | null {
  const info = scene.timeline.lanes[item.lane]?.memory;
  const box = scene.boxes.find((b) => b.lane === item.lane && b.kind === "memory");
  const { shown, order } = scene.memory;
  if (info == null || box === undefined || shown === "categories" || order !== "time") return null;
  const x = xOf(scene.scale, item.birth);
  const end = xOf(scene.scale, Math.min(item.death, scene.timeline.dur_ns));
  const top = byteToY(scene, box, item.offset + item.size_bytes, info.height_bytes);
  const bottom = byteToY(scene, box, item.offset, info.height_bytes);
  return { x, y: top, w: Math.max(end - x, 1), h: Math.max(bottom - top, 1) };
}

export function byteToY(scene: TimelineScene, box: LaneBox, byte: number, height_bytes: number): number {
  const share = height_bytes > 0 ? byte / height_bytes : 0;
  return yOf(scene, box.content) + box.contentHeight * (1 - share);
}
