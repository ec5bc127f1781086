// The drawing of the graph view: redraws when what it shows has changed, once a frame, with the newest of everything.
import { useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { createFrameLoop, type FrameLoop } from "../../draw/canvas";
import { CanvasGraphRenderer } from "../../draw/graph/canvas";
import type { GraphRenderer } from "../../draw/graph/renderer";
import type { Camera } from "../../lib/camera";
import type { PassLayout } from "../../lib/graph/pass-layout";
import type { PassModel } from "../../lib/graph/pass-model";
import { followTransition, startTransition, type Transition } from "../../lib/graph/transition";
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";
import { usePalette } from "../parts/use-palette";

/** After the camera has stood still for this long, a quick picture gives way to an exact one. */
const kStandStill_ms = 90;
const kFlash_ms = 1400;

/** Draws into the canvas, which fills the box. Returns the renderer, to be asked what is where. */
export function useGraphCanvas(
  box: RefObject<HTMLDivElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
): RefObject<GraphRenderer | null> {
  const { theme } = useApp();
  const { graph, camera, pass, find, measures } = useRewrites();
  const renderer = useRef<GraphRenderer>(null);
  const loop = useRef<FrameLoop | null>(null);
  const movedAt_ms = useRef(0);
  const draw = useDraw(renderer, loop, movedAt_ms);

  useLayoutEffect(() => {
    renderer.current = new CanvasGraphRenderer(canvas.current!);
    const frames = (loop.current = createFrameLoop(draw));
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      camera.size.value = { width, height };
    });
    observer.observe(box.current!);
    return () => {
      observer.disconnect();
      frames.stop();
      renderer.current?.dispose();
    };
  }, []);
  useSignalEffect(() => {
    void [
      graph.shown.value,
      graph.lit.value,
      graph.node.value,
      theme.shown.value,
      camera.size.value,
      pass.flash.value,
      find.found.value,
      measures.shown.value,
    ];
    loop.current?.request();
  });
  useSignalEffect(() => {
    void camera.camera.value;
    movedAt_ms.current = performance.now();
    loop.current?.request();
  });
  return renderer;
}

/** Returns what draws a frame of the graph as it is then, and asks for more frames while something moves. */
function useDraw(
  renderer: RefObject<GraphRenderer | null>,
  loop: RefObject<FrameLoop | null>,
  movedAt_ms: RefObject<number>,
): () => void {
  const { graph, camera, pass, find, measures, arrangement } = useRewrites();
  const palette = usePalette();
  const drawn = useRef<{ key: string; layout: PassLayout; camera: Camera } | null>(null);
  const transition = useRef<Transition | null>(null);
  return () => {
    const shown = graph.shown.peek();
    const view = camera.camera.peek();
    const { width, height } = camera.size.peek();
    if (shown === null || view === null || width === 0 || renderer.current === null) return;
    const now_ms = performance.now();
    const { key, model } = shown.loaded;
    const before = drawn.current;
    if (before?.key === key && before.layout !== shown.layout && !prefersStill()) {
      transition.current = startTransition(before.layout, shown.layout, before.camera, now_ms);
    } else if (before?.key !== key) transition.current = null;
    drawn.current = { key, layout: shown.layout, camera: view };
    const between = transition.current && followTransition(transition.current, shown.layout, view, model, now_ms);
    if (between === null) transition.current = null;
    const flash = pass.flash.peek();
    const strength = flash === null ? 0 : 1 - (now_ms - flash.since_ms) / kFlash_ms;
    const isExact = renderer.current.draw({
      model,
      layout: between?.layout ?? shown.layout,
      state: shown.state,
      changes: shown.changes,
      camera: between?.camera ?? view,
      width,
      height,
      palette: palette(),
      measure: measures.shown.peek(),
      selection: graph.lit.peek(),
      bodies: arrangement.current.peek(),
      absent: findAbsent(graph.node.peek(), model, shown.state),
      found: find.found.peek(),
      flash: flash !== null && strength > 0 ? { nodes: flash.nodes, strength } : null,
      moving: between === null && now_ms - movedAt_ms.current! < kStandStill_ms,
    });
    if (!isExact) setTimeout(() => loop.current?.request(), kStandStill_ms);
    if (strength > 0 || between !== null) loop.current?.request();
  };
}

/** A selected node that is not there at a state, and the nearest state at which it is. */
function findAbsent(node: number | null, model: PassModel, state: number): { node: number; state: number } | null {
  if (node === null || model.isAlive(node, state)) return null;
  const birth = model.born.at(node);
  return { node, state: state < birth ? birth : model.died.at(node) - 1 };
}

function prefersStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
