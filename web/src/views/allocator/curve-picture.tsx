// The allocator's memory over time by owner. A click goes to the entry there and chooses the owner under the pointer, a
// drag zooms to what it spans, the wheel zooms around the pointer.
import { useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import {
  curveBytes,
  curveTime,
  curveX,
  drawCurve,
  kCurveTop_px,
  sayPeak,
  CurveBands,
  type CurveMark,
  type CurveScene,
} from "../../draw/allocator/curve";
import { sayEntry, sayOwner, type WireAllocator } from "../../lib/allocator";
import { ownerAt, sampleAt, type Curve } from "../../lib/allocator-curve";
import { formatBytes } from "../../lib/bytes";
import { formatCount } from "../../lib/text";
import { clampRange, formatMoment, zoomRange, type TimeRange } from "../../lib/time";
import { dataOf } from "../../state/fetched";
import { useAsSignal } from "../parts/as-signal";
import { useDrawing, useWidth } from "../parts/drawn-canvas";
import type { AllocatorState, Memories } from "./state";
import { useColours } from "./use-colours";

const kHeight_px = 250;
/** What moves by less is a click. */
const kDrag_px = 4;

interface CurveProps {
  state: AllocatorState;
  memories: Memories;
  whole: WireAllocator;
}

export function CurvePicture({ state, memories, whole }: CurveProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useCurveScene(state, whole);
  const pointed = useSignal("");
  const drag = useRef<number | null>(null);
  const bands = useMemo(() => new CurveBands(), []);
  const dragged = useSignal<TimeRange | null>(null);
  const bounds = { from: 0, to: Math.max(memories.dur_ns, 1) };
  useWidth(canvas, (px) => (state.width_px.value = px));
  useDrawing(canvas, { scene, sizeOf: (shown) => shown, draw: drawing(bands, dragged), also: [dragged] });
  const at = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const onMove = (event: PointerEvent) => {
    const shown = scene.peek();
    if (shown === null) return;
    const { x, y } = at(event);
    pointed.value = sayPointed(shown, state, x, y);
    if (drag.current === null || Math.abs(x - drag.current) < kDrag_px) return;
    const [from, to] = [Math.min(x, drag.current), Math.max(x, drag.current)];
    dragged.value = { from: curveTime(shown, from), to: curveTime(shown, to) };
  };
  const onUp = (event: PointerEvent) => {
    const shown = scene.peek();
    const zoomed = dragged.peek();
    drag.current = null;
    dragged.value = null;
    if (shown === null) return;
    if (zoomed !== null) return state.setRange(clampRange(zoomed, bounds));
    const { x, y } = at(event);
    const sample = sampleAt(shown.curve.at_ns, curveTime(shown, x));
    state.setAt(shown.curve.entry[sample]!);
    const owner = ownerAt(shown.curve, sample, curveBytes(shown, y));
    if (owner !== null && owner >= 0) state.chooseOwner(shown.curve.owners[owner]!.id);
  };
  return (
    <div class="allocator-curve">
      <canvas
        ref={canvas}
        style={{ height: `${kHeight_px}px` }}
        role="img"
        aria-label={`Memory over time: the peak is ${formatBytes(whole.peaks.allocated.bytes)} allocated`}
        onPointerDown={(event) => {
          drag.current = at(event).x;
          canvas.current!.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerLeave={() => (pointed.value = "")}
        onDblClick={() => state.setRange(null)}
        onWheel={(event) => {
          const shown = scene.peek();
          if (shown === null || event.deltaY === 0) return;
          event.preventDefault();
          const time_ns = curveTime(shown, at(event).x);
          state.setRange(zoomRange(state.range.peek(), event.deltaY > 0 ? 1.25 : 0.8, time_ns, bounds));
        }}
      />
      <output class="allocator-pointed">{pointed.value}</output>
    </div>
  );
}

function useCurveScene(state: AllocatorState, whole: WireAllocator): ReadonlySignal<CurveScene | null> {
  const look = useAsSignal(useColours());
  const known = useAsSignal(whole);
  return useComputed<CurveScene | null>(() => {
    const curve = state.curve.value.value?.data;
    const width_px = state.width_px.value;
    if (curve === undefined || width_px === 0) return null;
    const { peaks, ranges, ooms, end, end_ns } = known.value;
    const shown = dataOf(state.state.value);
    const detail = dataOf(state.life.value)?.life ?? null;
    const range = state.range.value;
    const marks: CurveMark[] = [
      { at_ns: peaks.allocated.at_ns ?? 0, text: sayPeak(peaks.allocated.bytes), look: "peak" },
      { at_ns: end_ns, text: `end ${formatBytes(end.allocated)}`, look: "end" },
      ...ooms.map((oom, i) => ({ at_ns: oom.at_ns ?? 0, text: `OOM ${i + 1}`, look: "oom" as const })),
      ...(shown?.at_ns === undefined || shown.at_ns === null
        ? []
        : [{ at_ns: shown.at_ns, text: "", look: "chosen" } as const]),
    ];
    return {
      range,
      width_px,
      height_px: kHeight_px,
      curve,
      top_bytes: Math.max(...curve.reserved, ...curve.allocated, 1),
      ranges,
      marks,
      hasTimes: state.hasTimes.value,
      chosen: state.owner.value,
      life: detail === null ? null : { from: detail.born_ns ?? 0, to: detail.freed_ns ?? range.to },
      ...look.value,
    };
  });
}

/** The curve, and on it what is being dragged over. */
const drawing =
  (bands: CurveBands, dragged: ReadonlySignal<TimeRange | null>) =>
  (ctx: CanvasRenderingContext2D, shown: CurveScene) => {
    drawCurve(ctx, shown, bands);
    const zoom = dragged.peek();
    if (zoom === null) return;
    const left = curveX(shown, zoom.from);
    ctx.globalAlpha = 0.2;
    ctx.fillStyle = shown.palette.accent;
    ctx.fillRect(left, kCurveTop_px, curveX(shown, zoom.to) - left, shown.height_px);
    ctx.globalAlpha = 1;
  };

/** How many entries a step of the curve sums up, on the average. */
const perSample = ({ entries, entry }: Curve) => Math.round(entries / Math.max(entry.length - 1, 1));

function sayPointed(scene: CurveScene, state: AllocatorState, x: number, y: number): string {
  const { curve } = scene;
  const time_ns = curveTime(scene, x);
  if (y < kCurveTop_px) {
    const inside = scene.ranges.filter(({ from_ns, to_ns }) => from_ns <= time_ns && time_ns < (to_ns ?? Infinity));
    return inside.map(({ name }) => name).join(" › ");
  }
  const sample = sampleAt(curve.at_ns, time_ns);
  const owner = ownerAt(curve, sample, curveBytes(scene, y));
  const sums = `${formatBytes(curve.allocated[sample]!)} allocated, ${formatBytes(curve.reserved[sample]!)} reserved`;
  const most = curve.entries > curve.entry.length ? `, the most of about ${formatCount(perSample(curve))} entries` : "";
  const at = scene.hasTimes ? `${formatMoment(time_ns)}, ` : "";
  const head = `${at}${sayEntry(curve.entry[sample]!)}${most}: ${sums}`;
  if (owner === null) return head;
  if (owner < 0) {
    const named = curve.owners.reduce((sum, { bytes }) => sum + bytes[sample]!, 0);
    const others = curve.owner_count - curve.owners.length;
    return `${head} · ${others} other owners: ${formatBytes(curve.allocated[sample]! - named)}`;
  }
  const { owner: name, bytes } = curve.owners[owner]!;
  return `${head} · ${sayOwner(name, state.by.peek())}: ${formatBytes(bytes[sample]!)}`;
}
