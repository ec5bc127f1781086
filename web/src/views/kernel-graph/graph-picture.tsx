// The drawing: a box a launch, warmer the longer it ran, a line a buffer. Drag pans, the wheel zooms.
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { stripAnsi } from "../../lib/ansi";
import { fitRect, kMaxZoom, reveal, zoomAt, type Camera, type Rect, type Size } from "../../lib/camera";
import { readWheel } from "../../lib/wheel";
import { useCommand } from "../parts/app-context";
import { bufferOf, warmthOf, type WireKernelGraph } from "./graph";
import { formatCost } from "./run-detail";
import type { KernelGraphState } from "./state";

const kLegibleZoom = 0.8;
/** Longer names end in dots, as the server measured them. */
const kMostColumns = 64;

export function GraphPicture({ state }: { state: KernelGraphState }) {
  const box = useRef<SVGSVGElement>(null);
  const graph = state.graph.value!;
  const { camera, size, fit } = useGraphCamera(box, graph, state.run.value);
  useCommand("kernelGraph.fit", fit);
  const at = camera.value;
  const { width, height } = size.value;
  const transform =
    at === null ? "" : `translate(${width / 2 - at.x * at.zoom} ${height / 2 - at.y * at.zoom}) scale(${at.zoom})`;
  return (
    <div class="kernel-graph">
      <svg
        ref={box}
        role="img"
        aria-label="Kernels and the buffers between them; the list at the left has the same"
        onPointerDown={(event) => drag(event, camera)}
        onClick={(event) => event.target === box.current && state.choose(-1)}
      >
        {at !== null && (
          <g transform={transform}>
            <Lines state={state} graph={graph} />
            <Boxes state={state} graph={graph} withText={at.zoom > 0.35} />
          </g>
        )}
      </svg>
      <div class="kernel-tools">
        <button class="pill" title="Show the whole graph" onClick={fit}>
          whole
        </button>
        <button
          class="pill"
          title="As large as it is drawn"
          onClick={() => at !== null && (camera.value = { ...at, zoom: Math.min(1, kMaxZoom) })}
        >
          1:1
        </button>
        <span class="kernel-scale" aria-hidden="true">
          0 <i /> {formatCost(state.costs.value.unit, state.costs.value.most)}
          {state.costs.value.unit === "bytes" && " of buffers: the capture has no times"}
        </span>
      </div>
    </div>
  );
}

function rectOf({ layout: { x, y, w, h } }: WireKernelGraph, run: number): Rect {
  const [left, top] = [x[run]!, y[run]!];
  return { left, top, right: left + w[run]!, bottom: top + h[run]! };
}

/** The camera over the graph: it is moved by the wheel, and follows the chosen launch where that is out of view. */
function useGraphCamera(box: RefObject<SVGSVGElement | null>, graph: WireKernelGraph, run: number) {
  const size = useSignal<Size>({ width: 0, height: 0 });
  const camera = useSignal<Camera | null>(null);
  const fit = () => {
    const whole = { left: 0, top: 0, right: graph.layout.width, bottom: graph.layout.height };
    camera.value = fitRect(whole, size.value);
  };
  /**
   * A large graph begins where its boxes can be read: on the first launch that hands on a buffer, with room after it.
   */
  const begin = () => {
    fit();
    if (camera.value!.zoom >= kLegibleZoom) return;
    const { left, top, bottom } = rectOf(graph, firstWithEdge(graph));
    const x = left + (0.4 * size.value.width) / kLegibleZoom;
    camera.value = { x, y: (top + bottom) / 2, zoom: kLegibleZoom };
  };

  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
      if (camera.peek() === null && size.value.width > 0) begin();
    });
    observer.observe(element);
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const now = camera.peek();
      if (now === null) return;
      const meaning = readWheel(event, true);
      const at = { x: event.offsetX, y: event.offsetY };
      if (meaning.kind === "zoom") camera.value = zoomAt(now, size.peek(), at, meaning.factor);
      else camera.value = { ...now, x: now.x + meaning.dx / now.zoom, y: now.y + meaning.dy / now.zoom };
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener("wheel", turn);
    };
  }, [graph]);

  useLayoutEffect(() => {
    const now = camera.peek();
    if (run < 0 || now === null) return;
    const rect = rectOf(graph, run);
    const shown = reveal(now, size.peek(), rect);
    const isSeen = shown.x === now.x && shown.y === now.y;
    if (!isSeen) camera.value = { ...now, x: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2 };
  }, [run, graph]);
  return { camera, size, fit };
}

function drag(event: PointerEvent, camera: { value: Camera | null }) {
  const element = event.currentTarget as SVGSVGElement;
  const begin = camera.value;
  if (begin === null || event.button !== 0) return;
  const [x, y] = [event.clientX, event.clientY];
  const move = (now: PointerEvent) => {
    const [dx, dy] = [(now.clientX - x) / begin.zoom, (now.clientY - y) / begin.zoom];
    camera.value = { ...begin, x: begin.x - dx, y: begin.y - dy };
  };
  const end = () => element.removeEventListener("pointermove", move);
  element.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end, { once: true });
}

interface PartProps {
  state: KernelGraphState;
  graph: WireKernelGraph;
}

function Lines({ state, graph }: PartProps) {
  const { edges, layout } = graph;
  const [run, buffer] = [state.run.value, state.buffer.value];
  return (
    <g class="kernel-lines">
      {edges.from.map((from, i) => {
        const points = edges.points[i]!;
        if (points.length < 2) return null;
        const isNear =
          buffer !== null ? bufferOf(graph, edges.use[i]!) === buffer : from === run || edges.to[i] === run;
        const isDimmed = !isNear && (buffer !== null || run >= 0);
        const [x, y] = [layout.x[from]! + layout.w[from]!, layout.y[from]! + layout.h[from]! / 2];
        const path = edges.cut[i] === 1 ? stubs(x, y, points) : `M${x} ${y} L${points.join(" ")}`;
        return <path key={i} d={path} class={isNear ? "near" : isDimmed ? "dimmed" : ""} />;
      })}
    </g>
  );
}

/** A cut edge: a short piece at each end. */
function stubs(x: number, y: number, points: readonly number[]): string {
  const [toX, toY] = [points[points.length - 2]!, points[points.length - 1]!];
  return `M${x} ${y} h14 M${toX - 14} ${toY} H${toX}`;
}

function Boxes({ state, graph, withText }: PartProps & { withText: boolean }) {
  const { layout, runs } = graph;
  const [chosen, near, costs] = [state.run.value, state.near.value, state.costs.value];
  const isAnyChosen = chosen >= 0 || state.buffer.value !== null;
  return (
    <>
      {runs.map((run, i) => {
        const name = stripAnsi(run.name);
        const shown = name.length > kMostColumns ? `${name.slice(0, kMostColumns - 1)}…` : name;
        const isFar = isAnyChosen && i !== chosen && !near.has(i);
        const classes = ["kernel-box", i === chosen ? "on" : "", isFar ? "far" : ""].join(" ");
        return (
          <g
            key={i}
            class={classes}
            transform={`translate(${layout.x[i]} ${layout.y[i]})`}
            onClick={() => state.choose(i)}
          >
            <title>{`${name}\n${run.lane}, launch ${run.number}`}</title>
            <rect class="under" width={layout.w[i]} height={layout.h[i]} rx="4" />
            <rect
              class="warm"
              width={layout.w[i]}
              height={layout.h[i]}
              rx="4"
              fill-opacity={0.75 * warmthOf(costs, i)}
            />
            {withText && (
              <>
                <text x="10" y="17">
                  {shown}
                </text>
                <text x="10" y="31" class="second">
                  {formatCost(costs.unit, costs.of[i]!)} #{run.number}
                </text>
              </>
            )}
          </g>
        );
      })}
    </>
  );
}

/** The first launch that another one needs; the first where none does. */
function firstWithEdge({ edges }: WireKernelGraph): number {
  const first = edges.from.reduce((least, run) => Math.min(least, run), Infinity);
  return Number.isFinite(first) ? first : 0;
}
