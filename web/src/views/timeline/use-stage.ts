// The input of the timeline's stage: its size, keys and the pointer over the lanes, and scrolling.
import { effect, untracked, useSignal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { timeOf, topOfLanes, type TimelineScene } from "../../draw/timeline/scene";
import { scrollOf, topAt, type LaneLayout } from "../../lib/timeline/lanes-layout";
import type { TimelineSource } from "../../lib/timeline/source";
import { useApp } from "../parts/app-context";
import { useTimeline } from "./context";
import type { Pointer, StageSize } from "./drawing";
import { bindGestures } from "./gestures";
import type { Hovered } from "./hover";
import { pick, scrollToItem } from "./pick";
import { useTimelineKeys } from "./use-commands";

type Ref<T> = RefObject<T | null>;

export function useStageSize(base: Ref<HTMLCanvasElement>, scroller: Ref<HTMLDivElement>): Signal<StageSize> {
  const size = useSignal<StageSize>({ width_px: 0, height_px: 0 });
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
  return size;
}

/** Keys, and the pointer over the lanes. */
export function useStageInput(
  over: Ref<HTMLCanvasElement>,
  scroller: Ref<HTMLDivElement>,
  scene: ReadonlySignal<TimelineScene | null>,
  hovered: ReadonlySignal<Hovered | null>,
  pointer: Signal<Pointer | null>,
): void {
  const { scope, wheelZooms } = useApp();
  const timeline = useTimeline();
  const scrollBy = (px: number) => (scroller.current!.scrollTop += px);
  const atPointer = () =>
    pointer.peek() === null || scene.peek() === null ? null : timeOf(scene.peek()!.scale, pointer.peek()!.x);
  useTimelineKeys({ atPointer, scrollBy });
  useEffect(
    () =>
      bindGestures(over.current!, {
        scene: () => scene.peek(),
        bounds: () => timeline.bounds.peek(),
        setRange: (range) => (timeline.range.value = range),
        wheelZooms: () => wheelZooms.peek(),
        scrollBy,
        setArea(area) {
          timeline.area.value = area;
          timeline.tab.value = "range";
        },
        point: (x, y) => (pointer.value = { x, y }),
        click: () => pick(timeline, scope, hovered.peek()),
      }),
    [scene, hovered, pointer, timeline, scope],
  );
}

/** Scrolls where the place and the selection lead. Returns what is to be called when somebody has scrolled. */
export function useStageScroll(
  scroller: Ref<HTMLDivElement>,
  scroll: Signal<number>,
  layout: ReadonlySignal<LaneLayout>,
  shown: ReadonlySignal<TimelineSource>,
): () => void {
  const timeline = useTimeline();
  useEffect(
    () =>
      effect(() => {
        const arrived = timeline.arrivedTop.value;
        const wanted_px = arrived === null ? null : untracked(() => scrollOf(layout.value, arrived.top));
        if (wanted_px !== null && scroller.current !== null) scroller.current.scrollTop = wanted_px;
      }),
    [timeline, layout],
  );
  useEffect(
    () =>
      effect(() => {
        const wanted = timeline.revealed.value;
        if (wanted !== null && scroller.current !== null)
          scrollToItem(scroller.current, layout.peek(), topOfLanes(shown.peek().timeline), wanted.item);
      }),
    [timeline, layout, shown],
  );
  return () => {
    // A scroll is told in the frame after it: the stage may be gone by then.
    if (scroller.current === null) return;
    scroll.value = scroller.current.scrollTop;
    const top = topAt(layout.peek(), scroll.value);
    if (JSON.stringify(top) !== JSON.stringify(timeline.top.peek())) timeline.top.value = top;
  };
}
