// The drawing of a row at a zoom, without lying: an event at least a pixel long, or alone in its pixel, is drawn as it
// is; the others are counted together, a span a pixel, as tall as the pixel is busy, and in a name's colour only where
// that name has half of the busy time. Pixels are counted from the profile's start, not from the edge of the view, so
// that nothing flickers while panning.
import { spanOf, type TimeRange } from "../time";
import type { EventKind } from "./events";

/** Time and pixels of a view. */
export interface Scale {
  range: TimeRange;
  width_px: number;
}

export function nsOfPixel(scale: Scale): number {
  return spanOf(scale.range) / Math.max(scale.width_px, 1);
}

/** The pixel column of a time, counted from the view's left edge. */
export function columnOf(scale: Scale, at: number): number {
  const ns = nsOfPixel(scale);
  return Math.floor(at / ns) - Math.floor(scale.range.from / ns);
}

export interface Span {
  /** Pixels from the view's left edge; from the first to before the second. */
  x0: number;
  x1: number;
  /** The first event's index in its lane; of an aggregate it may be kUnknown. */
  event: number;
  /** One event is drawn exactly, several are an aggregate. */
  count: number;
  /** Where it came in a tile, its figures rounded: the server has them exactly. */
  place: SpanPlace;
  /** The kind of one event; "span" for an aggregate. */
  kind: EventKind;
  isError: boolean;
  /** For an aggregate, the share of its pixel that is busy, 0 to 1; 1 for one event. */
  busy: number;
  /** A name's number; of an aggregate the name that may have most of its busy time. */
  name: number;
  /** For an aggregate, how much of its busy time is certainly of that name, 0 to 1. */
  share: number;
  /** The hue of the name that has half of it; -1 where none has. */
  hue: number;
}

export interface SpanPlace {
  level: number;
  /** "all" is the tile as long as the profile. */
  tile: number | "all";
  /** Counted from the tile's start. */
  span: number;
}

/** A place on a row where something that was asked for lies, at any zoom. Pixels from the view's left edge. */
export interface Tick {
  x0: number;
  x1: number;
  /** How many such events it stands for. */
  count: number;
}

/** Adds a tick behind others; one that touches the last makes that longer instead. */
export function addTick(ticks: Tick[], tick: Tick): void {
  const last = ticks[ticks.length - 1];
  if (last === undefined || tick.x0 > last.x1) {
    ticks.push(tick);
  } else {
    last.x1 = Math.max(last.x1, tick.x1);
    last.count += tick.count;
  }
}
