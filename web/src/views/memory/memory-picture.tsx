// A device's memory over time: the bytes that are alive, and each allocation where it lies; the peak is marked, and so
// is the time of the state that is shown. A click goes to the state at that time.
import { useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { readPalette } from "../../draw/palette";
import { makeLaneColours } from "../../draw/timeline/colours";
import { drawMemory, placePicture } from "../../draw/timeline/memory";
import { drawMemoryAxis } from "../../draw/timeline/memory-axis";
import { drawAxis } from "../../draw/timeline/axis";
import { drawMoments, type DrawnMoment } from "../../draw/timeline/moments";
import { kAxis_px, kLabelFont_px, timeOf, type TimelineScene } from "../../draw/timeline/scene";
import { formatBytes } from "../../lib/bytes";
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import { findBlock, liveAt } from "../../lib/timeline/memory-picture";
import type { MemoryOrder } from "../../lib/timeline/memory-picture";
import type { TimeRange } from "../../lib/time";
import { formatMoment } from "../../lib/time";
import { dataOf } from "../../state/fetched";
import { createMemoryFetcher } from "../../state/memory-fetcher";
import { useApp } from "../parts/app-context";
import { useAsSignal } from "../parts/as-signal";
import { useDrawing, useWidth } from "../parts/drawn-canvas";
import type { Memories, MemoryState } from "./state";

const kHeight_px = 190;
/** How near to a block a click must be. */
const kReach_px = 2;
const kPadding_px = 8;

interface PictureProps {
  memory: MemoryState;
  memories: Memories;
}

export function MemoryPictureBox({ memory, memories }: PictureProps) {
  const { place } = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  const width_px = useSignal(0);
  useWidth(canvas, (px) => (width_px.value = px));
  const pictures = usePictures(memory, memories);
  const scene = useScene(memory, memories, pictures, width_px);
  const pointed = useSignal<string | null>(null);
  useDrawing(canvas, {
    scene,
    sizeOf: ({ scale, height_px }) => ({ width_px: scale.width_px, height_px }),
    draw: (ctx, shown) => drawPicture(ctx, shown, memory),
    also: [memory.holders, memory.set, memory.since],
  });
  const at = (event: MouseEvent) => ({
    x: event.clientX - canvas.current!.getBoundingClientRect().left,
    y: event.clientY - canvas.current!.getBoundingClientRect().top,
  });
  return (
    <div class="memory-picture">
      <canvas
        ref={canvas}
        style={{ height: `${kHeight_px}px` }}
        role="img"
        aria-label={sayPicture(memory, memories)}
        onPointerMove={(event) => {
          const shown = scene.peek();
          pointed.value = shown === null ? null : sayPointed(shown, at(event).x);
        }}
        onPointerLeave={() => (pointed.value = null)}
        onClick={(event) => {
          const shown = scene.peek();
          if (shown === null) return;
          const { x, y } = at(event);
          const time_ns = timeAt(shown, x);
          if (time_ns !== null) memory.setAt(Math.round(time_ns));
          const block = blockAt(shown, x, y);
          if (block !== null) place.adjust({ "mem.allocation": String(block) });
        }}
      />
      <output class="memory-pointed">{pointed.value ?? ""}</output>
      {memory.drawn.value.shown === "categories" && <Bands memory={memory} />}
    </div>
  );
}

/** A colour for each category. */
function Bands({ memory }: { memory: MemoryState }) {
  const { theme } = useApp();
  const tone = theme.shown.value;
  const colours = useMemo(() => makeLaneColours(readPalette(document.documentElement)), [tone]);
  return (
    <div class="memory-bands">
      {(memory.summary.value.value?.data.categories ?? []).map(({ name }, band) => (
        <span key={name}>
          <i style={{ background: colours.ofEvent(band, 0).fill }} />
          {name || "no category"}
        </span>
      ))}
    </div>
  );
}

function sayPicture(memory: MemoryState, { lanes }: Memories): string {
  const { peak_bytes, peak_ns } = lanes[memory.lane.value]!.memory!;
  return `Memory over time: the peak is ${formatBytes(peak_bytes)} at ${formatMoment(peak_ns)}`;
}

function usePictures(memory: MemoryState, memories: Memories) {
  const { api, notices } = useApp();
  const arrived = useSignal(0);
  return useMemo(() => {
    const endOf = (_: number, order: MemoryOrder) => {
      if (order === "time") return memories.dur_ns;
      return Math.max(memory.summary.peek().value?.data.orders ?? 0, 1);
    };
    // In order, the picture is the same share of all changes as it is of all time.
    const spanOf = (lane: number, { from, to }: TimeRange, order: MemoryOrder): TimeRange => {
      const scale = order === "time" ? 1 : endOf(lane, order) / Math.max(memories.dur_ns, 1);
      return { from: from * scale, to: to * scale };
    };
    const fetcher = createMemoryFetcher({
      api,
      pathOf: (lane, query) => `/api/v1/memory/${memories.key}/${lane}?${query}`,
      spanOf,
      endOf,
      onPicture: () => arrived.value++,
      onProblem: (problem) => notices.show("memory", problem),
    });
    return { arrived, fetcher, spanOf };
  }, [api, notices, memories.key]);
}

function useScene(
  memory: MemoryState,
  memories: Memories,
  { arrived, fetcher, spanOf }: ReturnType<typeof usePictures>,
  width_px: ReadonlySignal<number>,
): ReadonlySignal<TimelineScene | null> {
  const { theme } = useApp();
  const tone = theme.shown.value;
  const look = useAsSignal(
    useMemo(() => {
      const palette = readPalette(document.documentElement);
      return { palette, colours: makeLaneColours(palette) };
    }, [tone]),
  );
  return useComputed<TimelineScene | null>(() => {
    void arrived.value;
    const lane = memory.lane.value;
    if (width_px.value === 0 || lane < 0) return null;
    const drawn = memory.drawn.value;
    void memory.summary.value; // the number of changes
    const scale = { range: memory.range.value, width_px: width_px.value };
    const box = boxOf(lane);
    fetcher.look({ scale, memories: [{ lane, height_px: box.contentHeight }], order: drawn.order });
    return {
      timeline: { ...memories, strings: [], plain: [], nameClasses: [], markers: [], eventCount: 0 },
      boxes: [box],
      scale,
      clock: null,
      axisEnd_px: width_px.value,
      height_px: kHeight_px,
      top_px: kAxis_px,
      scroll_px: 0,
      stuck_px: 0,
      ...look.value,
      letter_px: kLabelFont_px * 0.6,
      colourBy: "name",
      gaps: [],
      memory: drawn,
      memoryOf: (of) => fetcher.pictureOf(of, scale.range, drawn.order),
      changesOf: (of, range) => spanOf(of, range, drawn.order),
      picture: kNoEvents,
    };
  });
}

const kNoEvents = { spansOf: () => [], ticksOf: () => [], stepsOf: () => [] };

const boxOf = (lane: number): LaneBox => ({
  key: "memory",
  track: lane,
  lane,
  counter: -1,
  kind: "memory",
  depth: 0,
  boxCount: 0,
  isFolded: false,
  strip: [],
  top: 0,
  height: kHeight_px - kAxis_px,
  content: kPadding_px,
  contentHeight: kHeight_px - kAxis_px - kPadding_px,
  pitch: 0,
});

function drawPicture(ctx: CanvasRenderingContext2D, scene: TimelineScene, memory: MemoryState): void {
  const { scale, height_px, palette, boxes } = scene;
  ctx.fillStyle = palette.background;
  ctx.fillRect(0, 0, scale.width_px, height_px);
  const box = boxes[0]!;
  const picture = scene.memoryOf(box.lane);
  if (picture !== null) drawMemory(ctx, scene, box, picture);
  drawMemoryAxis(ctx, scene, box);
  drawTimes(ctx, scene, memory);
}

/** The axis and the times that are marked: in the order of changes, a time has no place. */
function drawTimes(ctx: CanvasRenderingContext2D, scene: TimelineScene, memory: MemoryState): void {
  if (scene.memory.order !== "time") {
    ctx.fillStyle = scene.palette.panel;
    ctx.fillRect(0, 0, scene.scale.width_px, scene.top_px);
    ctx.fillStyle = scene.palette.dim;
    ctx.font = `11px ${scene.palette.font}`;
    ctx.textBaseline = "middle";
    ctx.fillText("each allocation and free as wide as any other", 8, scene.top_px / 2);
    return;
  }
  drawAxis(ctx, scene);
  const { peak_ns, peak_bytes } = scene.timeline.lanes[scene.boxes[0]!.lane]!.memory!;
  const at_ns = dataOf(memory.holders.value)?.at_ns ?? memory.set.value.value?.data.at_ns;
  const since_ns = memory.since.value;
  const moments: DrawnMoment[] = [
    { at_ns: peak_ns, text: `peak ${formatBytes(peak_bytes)}`, look: "faint" },
    ...(since_ns === null ? [] : [{ at_ns: since_ns, text: "growth from here", look: "dim" } as const]),
    ...(at_ns === undefined ? [] : [{ at_ns, text: "", look: "chosen" } as const]),
  ];
  drawMoments(ctx, scene, moments);
}

/** Null where the picture is in the order of changes. */
const timeAt = (scene: TimelineScene, x: number): number | null =>
  scene.memory.order === "time" ? timeOf(scene.scale, x) : null;

function blockAt(scene: TimelineScene, x: number, y: number): number | null {
  const box = scene.boxes[0]!;
  const picture = scene.memoryOf(box.lane);
  if (picture === null || scene.memory.shown !== "blocks") return null;
  const { left, bottom, column_px, line_px } = placePicture(scene, box, picture);
  const reach = { columns: kReach_px / column_px, lines: kReach_px / line_px };
  const found = findBlock(picture, (x - left) / column_px, (bottom - y) / line_px, reach);
  return found < 0 ? null : picture.blocks.index[found]!;
}

function sayPointed(scene: TimelineScene, x: number): string | null {
  const box = scene.boxes[0]!;
  const picture = scene.memoryOf(box.lane);
  if (picture === null) return null;
  const { left, column_px } = placePicture(scene, box, picture);
  const bytes = formatBytes(liveAt(picture, (x - left) / column_px));
  const time_ns = timeAt(scene, x);
  return time_ns === null ? bytes : `${formatMoment(time_ns)}: ${bytes}`;
}
