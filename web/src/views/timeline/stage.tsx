// The lanes: names at the left, two canvases at the right (the lanes, and what follows the pointer over them), scrolled
// together.
import { useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { topOfLanes } from "../../draw/timeline/scene";
import { formatClock, listClocks, nextClock } from "../../lib/timeline/clock";
import { heightOfLanes, layOutLanes } from "../../lib/timeline/lanes-layout";
import type { TimelineSource } from "../../lib/timeline/source";
import { useTimeline } from "./context";
import { useAsSignal } from "../parts/as-signal";
import { useDrawing, useScene, type Pointer } from "./drawing";
import { StillReading } from "../parts/reading";
import { useLanesPicture } from "./lanes-picture";
import { NothingHere } from "./nothing-here";
import { TimelineHeads } from "./heads";
import { TimelineFoot } from "./foot";
import { hoverAt, type Hovered } from "./hover";
import { useStageInput, useStageScroll, useStageSize } from "./use-stage";
import { describeSelected, openPicked } from "./pick";
import { TimelineSearch } from "./search";
import { TimelineTooltip } from "./tooltip";

export function TimelineStage({ source }: { source: TimelineSource }) {
  const timeline = useTimeline();
  const scroller = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const size = useStageSize(base, scroller);
  const scroll = useSignal(0);
  const pointer = useSignal<Pointer | null>(null);
  const shown = useAsSignal(source);
  const layout = useComputed(() => {
    const { lanes } = shown.value.timeline;
    const room_px = size.value.height_px - topOfLanes(shown.value.timeline);
    return layOutLanes(lanes, timeline.lanes.now.value, room_px);
  });
  const scene = useScene(shown, layout, size, scroll);
  const hovered = useComputed<Hovered | null>(() => {
    const at = pointer.value;
    return at === null || scene.value === null ? null : hoverAt(scene.value, at.x, at.y);
  });
  const scrollToBox = (key: string) => {
    const box = layout.peek().boxes.find((other) => other.key === key);
    if (box !== undefined) scroller.current!.scrollTop = box.top - layout.peek().pinned_px;
  };
  useDrawing(base, over, scene, hovered, pointer);
  useLanesPicture(base, over, scene);
  useStageInput(over, scroller, scene, hovered, pointer);
  const onScroll = useStageScroll(scroller, scroll, layout, shown);

  const { lanes, eventCount } = source.timeline;
  const top_px = topOfLanes(source.timeline);
  const label = `Timeline of ${lanes.length} lanes with ${eventCount} events`;
  return (
    <div class="timeline-stage" style={{ "--axis": `${top_px}px` }} onPointerLeave={() => (pointer.value = null)}>
      <TimelineSearch />
      <AxisClock source={source} />
      <div class="timeline-scroll" ref={scroller} onScroll={onScroll}>
        <div class="timeline-content" style={{ height: `${heightOfLanes(layout.value.boxes) + top_px}px` }}>
          <TimelineHeads
            shown={source.timeline}
            layout={layout.value}
            scroll_px={scroll.value}
            height_px={size.value.height_px - top_px}
          />
          <div class="timeline-plot" style={{ height: `${size.value.height_px}px` }}>
            <canvas ref={base} role="img" aria-label={label} />
            <canvas ref={over} onDblClick={() => openPicked(timeline, hovered.peek())} />
          </div>
        </div>
      </div>
      {source.isBeginning && timeline.opening.value !== null && (
        <StillReading opening={timeline.opening.value} events={eventCount} />
      )}
      <NothingHere scene={scene} />
      <TimelineFoot shown={source.timeline} layout={layout.value} onShow={(key) => scrollToBox(key)} />
      <p class="sr-only" aria-live="polite">
        {describeSelected(source.timeline, timeline.selected.value)}
      </p>
      <Pointed source={source} hovered={hovered} pointer={pointer} plot={base} />
    </div>
  );
}

/** The unit of the axis, where there is a choice. */
function AxisClock({ source }: { source: TimelineSource }) {
  const timeline = useTimeline();
  const clocks = listClocks(source.timeline.lanes);
  if (clocks.length === 0) return null;
  const { clock } = timeline;
  return (
    <button
      class="axis-clock"
      title="What the axis counts: time, or cycles of a clock that the capture knows (C)"
      onClick={() => (clock.value = nextClock(clocks, clock.value))}
    >
      {formatClock(clock.value)}
    </button>
  );
}

interface PointedProps {
  source: TimelineSource;
  hovered: ReadonlySignal<Hovered | null>;
  pointer: ReadonlySignal<Pointer | null>;
  plot: RefObject<HTMLCanvasElement | null>;
}

/** The tooltip alone is drawn anew as the pointer moves. */
function Pointed({ source, hovered, pointer, plot }: PointedProps) {
  const [what, at] = [hovered.value, pointer.value];
  if (what === null || at === null) return null;
  const heads_px = plot.current?.parentElement?.offsetLeft ?? 0;
  return <TimelineTooltip source={source} hovered={what} x={at.x + heads_px} y={at.y} />;
}
