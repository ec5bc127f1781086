// The lanes: names at the left, two canvases at the right (the lanes, and what follows the pointer over them), scrolled
// together. Each canvas is drawn at most once a frame, and only when something it shows has changed.
import { effect, useComputed, useSignal, type Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { createFrameLoop, sizeCanvas } from "../draw/canvas";
import { drawTimeline } from "../draw/lanes";
import { makeLaneColours } from "../draw/lanes-colours";
import { drawMarks } from "../draw/lanes-marks";
import { kLabelFont_px, timeOf, topOfLanes, type TimelineMarks, type TimelineScene } from "../draw/lanes-scene";
import { readPalette } from "../draw/palette";
import type { EventRef, Profile } from "../lib/lanes";
import type { AllocationRef } from "../lib/lanes-find";
import { heightOfLanes, layOutLanes, type LaneBox } from "../lib/lanes-layout";
import { formatBytes } from "../lib/memory";
import { formatDuration } from "../lib/text";
import { frameRange } from "../lib/time";
import type { App } from "../state/app";
import { useApp } from "./app-context";
import { bindGestures } from "./timeline-gestures";
import { TimelineHeads } from "./timeline-heads";
import { hoverAt, type Hovered } from "./timeline-hover";
import { useTimelineKeys } from "./timeline-keys";
import { TimelineSearch } from "./timeline-search";
import { TimelineTooltip } from "./timeline-tooltip";

const kHeads_px = 204;

interface Pointer {
  x: number;
  y: number;
}

export function TimelineStage({ profile }: { profile: Profile }) {
  const app = useApp();
  const { timeline } = app;
  const scroller = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const size = useSignal({ width_px: 0, height_px: 0 });
  const scroll = useSignal(0);
  const pointer = useSignal<Pointer | null>(null);
  const boxes = useComputed(() => layOutLanes(profile.lanes, timeline.turned.value));
  const scene = useScene(app, profile, boxes, size, scroll);
  const hovered = useComputed<Hovered | null>(() => {
    const at = pointer.value;
    return at === null || scene.value === null ? null : hoverAt(scene.value, at.x, at.y);
  });
  const atPointer = () =>
    pointer.peek() === null || scene.peek() === null ? null : timeOf(scene.peek()!.scale, pointer.peek()!.x);
  const scrollBy = (px: number) => (scroller.current!.scrollTop += px);
  useTimelineKeys({ profile, atPointer, scrollBy });

  useLayoutEffect(() => {
    const canvas = base.current!;
    const stage = scroller.current!;
    const observer = new ResizeObserver(() => {
      size.value = { width_px: canvas.parentElement!.clientWidth, height_px: stage.clientHeight };
    });
    observer.observe(canvas.parentElement!);
    observer.observe(stage);
    return () => observer.disconnect();
  }, [size]);

  useEffect(() => {
    const loops = [
      drawOnChange(
        base.current!,
        () => (scene.value === null ? null : { scene: scene.value }),
        (ctx, input) => drawTimeline(ctx, input.scene),
      ),
      drawOnChange(
        over.current!,
        () => readMarks(app, scene.value, hovered.value, pointer.value),
        (ctx, input) => drawMarks(ctx, input.scene, input.marks),
      ),
    ];
    return () => loops.forEach((stop) => stop());
  }, [app, scene, hovered, pointer]);

  useEffect(
    () =>
      bindGestures(over.current!, {
        scene: () => scene.peek(),
        bounds: () => timeline.bounds.peek(),
        setRange: (range) => (timeline.range.value = range),
        scrollBy,
        setArea(area) {
          timeline.area.value = area;
          timeline.tab.value = "range";
        },
        point: (x, y) => (pointer.value = { x, y }),
        click: () => click(app, hovered.peek()),
      }),
    [app, scene, hovered, pointer, timeline],
  );

  useEffect(
    () =>
      effect(() => {
        const wanted = timeline.revealed.value;
        if (wanted !== null) scrollToRef(scroller.current!, boxes.peek(), profile, wanted.ref);
      }),
    [timeline, boxes, profile],
  );

  const top_px = topOfLanes(profile);
  const label = `Timeline of ${profile.lanes.length} lanes with ${profile.eventCount} events`;
  return (
    <div
      class="timeline-stage"
      style={{ "--heads": `${kHeads_px}px`, "--axis": `${top_px}px` }}
      onPointerLeave={() => (pointer.value = null)}
    >
      <TimelineSearch />
      <div class="timeline-scroll" ref={scroller} onScroll={() => (scroll.value = scroller.current!.scrollTop)}>
        <div class="timeline-content" style={{ height: `${heightOfLanes(boxes.value) + top_px}px` }}>
          <div class="lane-heads">
            <TimelineHeads
              profile={profile}
              boxes={boxes.value}
              scroll_px={scroll.value}
              height_px={size.value.height_px}
            />
          </div>
          <div class="timeline-plot" style={{ height: `${size.value.height_px}px` }}>
            <canvas ref={base} role="img" aria-label={label} />
            <canvas ref={over} onDblClick={() => doubleClick(app, hovered.peek())} />
          </div>
        </div>
      </div>
      <p class="sr-only" aria-live="polite">
        {describeSelected(profile, timeline.selected.value)}
      </p>
      <Pointed profile={profile} hovered={hovered} pointer={pointer} />
    </div>
  );
}

/** The tooltip alone is drawn anew as the pointer moves. */
function Pointed(props: { profile: Profile; hovered: { value: Hovered | null }; pointer: Signal<Pointer | null> }) {
  const { profile, hovered, pointer } = props;
  const [what, at] = [hovered.value, pointer.value];
  return what === null || at === null ? null : (
    <TimelineTooltip profile={profile} hovered={what} x={at.x + kHeads_px} y={at.y} />
  );
}

/** For screen readers, which do not see the canvas. */
function describeSelected(profile: Profile, ref: EventRef | AllocationRef | null): string {
  const lane = ref === null ? undefined : profile.lanes[ref.lane];
  if (ref === null || lane === undefined) return "";
  if ("event" in ref) {
    return `${profile.plain[lane.label[ref.event]!]}, ${lane.name}, ${formatDuration(lane.dur[ref.event]!)}`;
  }
  return `${lane.name} buffer ${lane.memory!.key[ref.allocation]}, ${formatBytes(lane.memory!.size_bytes[ref.allocation]!)}`;
}

function useScene(
  { timeline, theme }: App,
  profile: Profile,
  boxes: { value: readonly LaneBox[] },
  size: Signal<{ width_px: number; height_px: number }>,
  scroll: Signal<number>,
): { readonly value: TimelineScene | null; peek(): TimelineScene | null } {
  const shown = theme.shown.value;
  const { palette, colours, letter_px } = useMemo(() => {
    const read = readPalette(document.documentElement);
    return { palette: read, colours: makeLaneColours(read), letter_px: measureLetter(read.mono) };
  }, [shown]);
  const themed = useSignal({ palette, colours, letter_px });
  if (themed.peek().palette !== palette) themed.value = { palette, colours, letter_px };
  return useComputed(() => {
    const { width_px, height_px } = size.value;
    if (width_px === 0 || height_px === 0) return null;
    return {
      ...themed.value,
      profile,
      boxes: boxes.value,
      scale: { range: timeline.range.value, width_px },
      height_px,
      top_px: topOfLanes(profile),
      scroll_px: scroll.value,
      found: timeline.found.value,
    };
  });
}

function readMarks(
  { timeline }: App,
  scene: TimelineScene | null,
  hovered: Hovered | null,
  pointer: Pointer | null,
): { scene: TimelineScene; marks: TimelineMarks } | null {
  if (scene === null) return null;
  const marks: TimelineMarks = {
    hovered: refOf(hovered),
    selected: timeline.selected.value,
    area: timeline.area.value,
    marks: timeline.marks.value,
    cursor_ns: pointer === null ? null : timeOf(scene.scale, pointer.x),
  };
  return { scene, marks };
}

function measureLetter(mono: string): number {
  const ctx = document.createElement("canvas").getContext("2d")!;
  ctx.font = `${kLabelFont_px}px ${mono}`;
  return ctx.measureText("0000000000").width / 10;
}

/** Draws what read() gives at the next frame after a signal that it reads has changed. Returns what stops it. */
function drawOnChange<T extends { scene: TimelineScene }>(
  canvas: HTMLCanvasElement,
  read: () => T | null,
  draw: (ctx: CanvasRenderingContext2D, input: T) => void,
): () => void {
  const ctx = canvas.getContext("2d")!;
  let latest: T | null = null;
  const loop = createFrameLoop(() => {
    if (latest === null) return;
    const { scale, height_px } = latest.scene;
    const ratio = sizeCanvas(canvas, scale.width_px, height_px);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(ctx, latest);
  });
  const stop = effect(() => {
    latest = read();
    loop.request();
  });
  return () => {
    stop();
    loop.stop();
  };
}

function refOf(hovered: Hovered | null): EventRef | AllocationRef | null {
  if (hovered?.kind === "event" || hovered?.kind === "allocation") return hovered.ref;
  return hovered?.kind === "aggregate" ? { lane: hovered.lane, event: hovered.about.longest } : null;
}

/** Selects what is under the pointer; of events drawn together, the longest. Beside them, clears the selection. */
function click({ timeline }: App, hovered: Hovered | null): void {
  const ref = refOf(hovered);
  timeline.select(ref);
  if (ref === null) timeline.area.value = null;
}

/** Goes to the event's rewrites; where it has none, and where many are drawn together, zooms; beside them, fits. */
function doubleClick({ timeline }: App, hovered: Hovered | null): void {
  if (hovered === null || hovered.kind === "memory") timeline.range.value = timeline.bounds.value;
  else if (hovered.kind === "aggregate") timeline.range.value = frameRange(hovered.about.range, timeline.bounds.value);
  else if (hovered.kind === "allocation" || !timeline.goToContextOf(hovered.ref)) timeline.frame(hovered.ref);
}

const kRoom_px = 24;

/** Scrolls, where needed, so that the event's row or the memory is seen. */
function scrollToRef(
  scroller: HTMLElement,
  boxes: readonly LaneBox[],
  profile: Profile,
  ref: EventRef | AllocationRef,
) {
  const isEvent = "event" in ref;
  const box = boxes.find((b) => b.lane === ref.lane && b.kind === (isEvent ? "events" : "memory"));
  if (box === undefined) return;
  const top = isEvent ? box.content + profile.lanes[ref.lane]!.row[ref.event]! * box.pitch : box.top;
  const bottom = isEvent ? top + box.pitch : box.top + box.height;
  const seen = scroller.clientHeight - topOfLanes(profile);
  if (top - kRoom_px < scroller.scrollTop) scroller.scrollTop = top - kRoom_px;
  else if (bottom + kRoom_px > scroller.scrollTop + seen) scroller.scrollTop = bottom + kRoom_px - seen;
}
