// The graph of the state on screen: the canvas, the pointer on it, and a text overlay for the selected node, so that
// its label can be selected, copied, and read aloud.
import { untracked, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { createFrameLoop, type FrameLoop } from "../draw/canvas";
import { CanvasGraphRenderer } from "../draw/graph-canvas";
import type { GraphRenderer, Hotspot } from "../draw/graph-renderer";
import { stripAnsi } from "../lib/ansi";
import { toLayout, type Point } from "../lib/camera";
import type { Camera } from "../lib/place";
import type { StepLayout } from "../lib/step-layout";
import { useApp, useCommand } from "./app-context";
import { followPointer } from "./graph-pointer";
import { NodeOverlay } from "./node-overlay";
import { usePalette } from "./use-palette";

const kStandStill_ms = 90;
const kFlash_ms = 1400;
const kReadableZoom = 0.65;

export function GraphView() {
  const app = useApp();
  const { graph, camera, theme, step } = app;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const renderer = useRef<GraphRenderer | null>(null);
  const loop = useRef<FrameLoop | null>(null);
  const palette = usePalette();
  const movedAt = useRef(0);

  const draw = () => {
    const shown = graph.shown.peek();
    const view = camera.camera.peek();
    const { width, height } = camera.size.peek();
    if (shown === null || view === null || width === 0 || renderer.current === null) return;
    const flash = step.flash.peek();
    const strength = flash === null ? 0 : 1 - (performance.now() - flash.since_ms) / kFlash_ms;
    const isExact = renderer.current.draw({
      model: shown.loaded.model,
      layout: shown.layout,
      state: shown.state,
      changes: shown.changes,
      camera: view,
      width,
      height,
      palette: palette(),
      selection: graph.lit.peek(),
      flash: flash !== null && strength > 0 ? { nodes: flash.nodes, strength } : null,
      moving: performance.now() - movedAt.current < kStandStill_ms,
    });
    if (!isExact) setTimeout(() => loop.current?.request(), kStandStill_ms);
    if (strength > 0) loop.current?.request();
  };

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
    void [graph.shown.value, graph.lit.value, theme.shown.value, camera.size.value, step.flash.value];
    loop.current?.request();
  });
  useSignalEffect(() => {
    void camera.camera.value;
    movedAt.current = performance.now();
    loop.current?.request();
  });
  useFollowLayout();
  useGraphCommands();
  useEffect(
    () =>
      followPointer(box.current!, {
        camera: () => camera.camera.peek(),
        size: () => camera.size.peek(),
        move: camera.move,
        hover: (at) => (canvas.current!.title = findHotspot(at)?.title ?? sayNode(at)),
        click: (at) => {
          const target = findHotspot(at)?.target;
          if (target?.kind === "context") app.rewrites.goToStep(target.context, null);
          else if (target?.kind === "node") graph.visit(target.node);
          else graph.select(findNode(at));
        },
        doubleClick: (at) => {
          const node = findNode(at);
          if (node === null) camera.fit();
          else camera.show([node], true);
        },
      }),
    [],
  );

  function findHotspot(at: Point): Hotspot | undefined {
    return renderer.current
      ?.hotspots()
      .findLast(({ x, y, w, h }) => x <= at.x && at.x <= x + w && y <= at.y && at.y <= y + h);
  }

  function findNode(at: Point): number | null {
    const shown = graph.shown.peek();
    const view = camera.camera.peek();
    if (shown === null || view === null) return null;
    const { x, y } = toLayout(view, camera.size.peek(), at);
    const near = 2 / view.zoom;
    const found = shown.layout.findNodes({ left: x - near, top: y - near, right: x + near, bottom: y + near });
    const { model } = shown.loaded;
    return found.find((node) => hits(shown.layout, node, x, y, near) && model.isBox(node, shown.state)) ?? null;
  }

  /** From afar the label cannot be read in its box. */
  function sayNode(at: Point): string {
    const shown = graph.shown.peek();
    if (shown === null || (camera.camera.peek()?.zoom ?? 1) >= kReadableZoom) return "";
    const node = findNode(at);
    return node === null ? "" : stripAnsi(shown.loaded.model.labelAt(node, shown.state));
  }

  return (
    <div ref={box} class="graph" tabIndex={0} role="application" aria-label="Graph" aria-describedby="graph-summary">
      <canvas ref={canvas} />
      <NodeOverlay />
    </div>
  );
}

function hits(layout: StepLayout, node: number, x: number, y: number, near: number): boolean {
  const box = layout.box(node);
  return box.x - near <= x && x <= box.x + box.w + near && box.y - near <= y && y <= box.y + box.h + near;
}

/**
 * Keeps what is looked at in place where one layout gives way to another. Not where the first places of a stream give
 * way to the layout and nobody has moved the camera since: it is that of a link, or of the whole graph.
 */
function useFollowLayout(): void {
  const { graph, camera, place } = useApp();
  const last = useRef<{ key: string; layout: StepLayout; placed: Camera | null } | null>(null);
  useSignalEffect(() => {
    const shown = graph.shown.value;
    const before = last.current;
    if (shown === null || before === null || before.key !== shown.loaded.key || before.layout !== shown.layout) {
      const placed = place.part.camera.peek();
      last.current = shown === null ? null : { key: shown.loaded.key, layout: shown.layout, placed };
    }
    if (shown === null || before === null || before.layout === shown.layout || before.key !== shown.loaded.key) return;
    if (!before.layout.hasRoutes && before.placed === place.part.camera.peek()) return;
    untracked(() => camera.follow(before.layout, shown.layout, shown.loaded.model, shown.state));
  });
  useSignalEffect(() => {
    const visit = graph.visited.value;
    if (visit !== null) camera.show([visit.node], false);
  });
}

function useGraphCommands(): void {
  const { graph, camera } = useApp();
  const visitNeighbour = (side: "sources" | "users") => {
    const [first] = graph.lit.value?.[side] ?? [];
    const shown = graph.shown.value;
    if (first !== undefined && shown?.loaded.model.isBox(first, shown.state)) graph.visit(first);
  };
  useCommand("graph.fit", camera.fit);
  useCommand("graph.zoomIn", () => camera.zoom(1.3));
  useCommand("graph.zoomOut", () => camera.zoom(1 / 1.3));
  useCommand("graph.zoomToSelection", () => graph.node.value !== null && camera.show([graph.node.value], true));
  useCommand("graph.zoomToChange", () => {
    const changes = graph.shown.value?.changes;
    if (changes !== undefined) camera.show([...changes.made, ...changes.rewritten, ...changes.removed], true);
  });
  useCommand("node.source", () => visitNeighbour("sources"));
  useCommand("node.user", () => visitNeighbour("users"));
  useCommand("node.origin", () => {
    const node = graph.node.value;
    if (node !== null) graph.goToState(graph.shown.value?.loaded.model.born.at(node) ?? 0);
  });
  useCommand("page.clear", () => graph.select(null));
}
