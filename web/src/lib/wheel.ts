// The meaning of a turn of the wheel, or of two fingers on a pad, over the graph and the lanes: scrolling pans, a pinch
// or Ctrl zooms. People who have a mouse and no pad may want it the other way round.

/** The fields of a WheelEvent that count. */
export interface WheelTurn {
  deltaX: number;
  deltaY: number;
  deltaMode: number;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/** factor: how much larger things become; dx and dy: how far what is shown moves to the left and up, in pixels. */
export type WheelMeaning = { kind: "zoom"; factor: number } | { kind: "pan"; dx: number; dy: number };

/** Firefox counts a mouse's turns in lines. */
const kLine_px = 18;
const kPage_px = 400;
/** A pinch comes as many turns of a few pixels, a notch of a mouse as one of a hundred. */
const kZoomOfPixel = 0.01;
export const kMostZoomOfTurn = 1.25;

export function readWheel(turn: WheelTurn, wheelZooms: boolean): WheelMeaning {
  const unit = turn.deltaMode === 0 ? 1 : turn.deltaMode === 1 ? kLine_px : kPage_px;
  const [dx, dy] = [turn.deltaX * unit, turn.deltaY * unit];
  const asksForZoom = turn.ctrlKey || turn.metaKey;
  if (asksForZoom || (wheelZooms && !turn.shiftKey && Math.abs(dy) >= Math.abs(dx))) {
    const factor = Math.exp(-dy * kZoomOfPixel);
    return { kind: "zoom", factor: Math.min(Math.max(factor, 1 / kMostZoomOfTurn), kMostZoomOfTurn) };
  }
  return turn.shiftKey && dx === 0 ? { kind: "pan", dx: dy, dy: 0 } : { kind: "pan", dx, dy };
}
