// The graph of the state on screen: the canvas, the pointer on it, and a text overlay for the selected node, so that
// its label can be selected, copied, and read aloud.
import { untracked, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Hotspot } from "../../draw/graph/renderer";
import { stripAnsi } from "../../lib/ansi";
import { toLayout, type Point } from "../../lib/camera";
import { kLabelZoom } from "../../lib/graph/framing";
import { findNodeAt } from "../../lib/graph/graph-hit";
import type { Camera } from "../../lib/camera";
import { isView, turnBody } from "../../lib/graph/arrangement";
import type { PassLayout } from "../../lib/graph/pass-layout";
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";
import { followPointer } from "../parts/graph-pointer";
import { NodeOverlay } from "./node-overlay";
import { useGraphCanvas } from "./use-graph-canvas";
import { useGraphCommands } from "./use-graph-commands";

const kSlack_px = 2;

export function GraphView() {
  const { chosen, wheelZooms } = useApp();
  const { graph, camera, arrangement } = useRewrites();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const renderer = useGraphCanvas(box, canvas);
  useFollowLayout();
  useGraphCommands();
  useEffect(
    () =>
      followPointer(box.current!, {
        camera: () => camera.camera.peek(),
        size: () => camera.size.peek(),
        wheelZooms: () => wheelZooms.peek(),
        move: camera.move,
        hover: (at) => (canvas.current!.title = findHotspot(at)?.title ?? sayNode(at)),
        click,
        doubleClick: (at) => {
          const node = findNode(at);
          if (node === null) camera.fit();
          else camera.show([node], true);
        },
      }),
    [],
  );

  function click(at: Point): void {
    const target = findHotspot(at)?.target;
    if (target?.kind === "context") chosen.goToPass(target.context, null);
    else if (target?.kind === "group") camera.showRect(target.bounds);
    else if (target?.kind === "fold") {
      arrangement.set({ unfolded: [...arrangement.current.peek().unfolded, target.node] });
    } else if (target?.kind === "body") arrangement.set(turnBody(arrangement.current.peek(), target.node));
    else if (target?.kind === "node") graph.visit(target.node);
    else graph.select(findNode(at));
  }

  function findHotspot(at: Point): Hotspot | undefined {
    return renderer.current
      ?.hotspots()
      .findLast(({ x, y, w, h }) => x <= at.x && at.x <= x + w && y <= at.y && at.y <= y + h);
  }

  function findNode(at: Point): number | null {
    const shown = graph.shown.peek();
    const view = camera.camera.peek();
    if (shown === null || view === null) return null;
    const { layout, loaded, state } = shown;
    return findNodeAt(layout, loaded.model, state, toLayout(view, camera.size.peek(), at), kSlack_px / view.zoom);
  }

  /** From afar the label cannot be read in its box. */
  function sayNode(at: Point): string {
    const shown = graph.shown.peek();
    const node = (camera.camera.peek()?.zoom ?? 1) < kLabelZoom ? findNode(at) : null;
    return shown === null || node === null ? "" : stripAnsi(shown.loaded.model.labelAt(node, shown.state));
  }

  return (
    <div ref={box} class="graph" tabIndex={0} role="application" aria-label="Graph" aria-describedby="graph-summary">
      <canvas ref={canvas} />
      <NodeOverlay />
    </div>
  );
}

interface Followed {
  key: string;
  layout: PassLayout;
  /** The camera as it was put when this layout came. */
  placed: Camera | null;
  focus: string;
  /** Whether a link asks for more than the pass, and that is still on its way. */
  waits: boolean;
}

/**
 * Keeps what is looked at in place where one layout gives way to another. Not where a pass has just been opened, its
 * layout is still to come, and nobody has moved the camera since: it is that of a link, or of the whole graph.
 */
function useFollowLayout(): void {
  const { graph, camera, arrangement, direction, spot } = useRewrites();
  const last = useRef<Followed | null>(null);
  useSignalEffect(() => {
    const shown = graph.shown.value;
    const before = last.current;
    if (shown !== null && before?.key === shown.loaded.key && before.layout === shown.layout) return;
    if (shown === null) {
      last.current = null;
      return;
    }
    const { loaded, layout, state } = shown;
    const current = arrangement.current.peek();
    const isOpened = before?.key !== loaded.key;
    const now: Followed = {
      key: loaded.key,
      layout,
      placed: spot.camera.peek(),
      focus: JSON.stringify(current.focus),
      waits:
        (isOpened ? isView(current) || current.compact === state || direction.isDown.peek() : before.waits) &&
        // The whole graph from top to bottom may come before the view of it.
        (layout.kind === "epoch" || arrangement.pending.peek()),
    };
    last.current = now;
    if (isOpened) return;
    const isMoved = before.placed !== now.placed;
    if (!isMoved && (before.waits ? now.placed !== null : !before.layout.hasRoutes)) return;
    if (now.placed === null) return; // it follows by itself
    untracked(() => {
      // Another part of the graph is a picture of its own; and a view of all of it stays one of all of it.
      const isOtherPart = now.focus !== before.focus && now.focus !== "null";
      if (isOtherPart || camera.showsAllOf(before.layout)) camera.fit();
      else camera.follow(before.layout, layout, loaded.model, state);
    });
  });
  useSignalEffect(() => {
    const visit = graph.visited.value;
    if (visit !== null) untracked(() => camera.show([visit.node], false));
  });
}
