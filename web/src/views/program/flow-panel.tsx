// Basic blocks from top to bottom as the server laid them out: boxes with their instructions, jumps, loops by depth;
// moved and zoomed as the graph view is. Boxes are text, so that registers can be highlighted in them as in the list,
// and only those on screen are in the page.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { fitRect, reveal, toView, viewedRect, zoomAt } from "../../lib/camera";
import { boundsOf, boxAt, homeCamera, pathOfEdge, placesOfBlocks } from "./flow-graph";
import { formatCamera, parseCamera, type Camera } from "../../lib/camera";
import { formatAddress, type WireCode } from "./code";
import { costOfPart, heatOf } from "./costs";
import { loopAt } from "./heat";
import { formatCount, formatShare } from "../../lib/text";
import type { Rect } from "../../lib/camera";
import { useApp, useCommand } from "../parts/app-context";
import { useProgram } from "./context";
import { Blank } from "../parts/blank";
import { followPointer } from "../parts/graph-pointer";
import { InstructionText } from "./instruction-text";
import { dataOf } from "../../state/fetched";
import { KeyCap } from "../parts/key-cap";

export function ProgramFlow() {
  const program = useProgram();
  const code = dataOf(program.code.value);
  if (code === undefined) return <Blank title="Reading the machine code" />;
  if (code.error !== null) return <Blank title="No machine code" lines={[code.error.message]} />;
  if (code.layout.block.length === 0)
    return <Blank title={`${code.blocks.first.length} blocks are too many to draw`} lines={["The list shows them."]} />;
  return <FlowGraph key={program.code.value.value!.wish} code={code} />;
}

function FlowGraph({ code }: { code: WireCode }) {
  const { wheelZooms } = useApp();
  const program = useProgram();
  const box = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const camera = useComputed(() => parseCamera(program.camera.value) ?? homeCamera(code, size.value));
  const move = (next: Camera) => program.look({ at: formatCamera(next, 2) });
  const zoom = (factor: number) => {
    const { width, height } = size.value;
    move(zoomAt(camera.value, size.value, { x: width / 2, y: height / 2 }, factor));
  };
  const fit = () => move(fitRect(boundsOf(code), size.value));
  useCommand("graph.fit", fit);
  useCommand("graph.zoomIn", () => zoom(1.3));
  useCommand("graph.zoomOut", () => zoom(1 / 1.3));
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(
      () => (size.value = { width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);
  useEffect(
    () =>
      followPointer(box.current!, {
        camera: () => camera.peek(),
        size: () => size.peek(),
        wheelZooms: () => wheelZooms.peek(),
        move,
        hover: () => undefined,
        // The box has the pointer: what lies under it is asked for by place.
        click: (at) => {
          const { left, top } = box.current!.getBoundingClientRect();
          const target = document.elementFromPoint(at.x + left, at.y + top);
          if (target instanceof HTMLElement) target.click();
        },
        doubleClick: fit,
      }),
    [code],
  );
  const places = useComputed(() => placesOfBlocks(code));
  const chosen = program.instruction.value;
  const block = chosen === null ? -1 : (program.blocks.value[chosen] ?? -1);
  useEffect(() => {
    const place = places.peek()[block] ?? -1;
    if (place >= 0 && size.peek().width > 0) {
      const next = reveal(camera.peek(), size.peek(), boxAt(code, place), 24);
      if (next.x !== camera.peek().x || next.y !== camera.peek().y) move(next);
    }
  }, [block, code]);

  const origin = toView(camera.value, size.value, { x: 0, y: 0 });
  const seen = viewedRect(camera.value, size.value);
  return (
    <div ref={box} class="flow" tabIndex={0} role="application" aria-label="Basic blocks">
      {size.value.width > 0 && (
        <div
          class="flow-layer"
          style={{ transform: `translate(${origin.x}px, ${origin.y}px) scale(${camera.value.zoom})` }}
        >
          <Edges code={code} places={places.value} block={block} />
          {code.layout.block.map(
            (b, place) => overlaps(boxAt(code, place), seen) && <Block key={b} code={code} place={place} />,
          )}
        </div>
      )}
      <div class="flow-tools">
        <button class="pill" onClick={fit}>
          Fit <KeyCap command="graph.fit" />
        </button>
      </div>
    </div>
  );
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;
}

interface EdgesProps {
  code: WireCode;
  places: Int32Array;
  /** The block of the chosen instruction: the ways into it and out of it are lit. */
  block: number;
}

function Edges({ code, places, block }: EdgesProps) {
  const { edges, layout } = code;
  return (
    <svg width={layout.width} height={layout.height} aria-hidden="true">
      <defs>
        <marker
          id="flow-arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
          orient="auto-start-reverse"
        >
          <path d="M0,0.5 L8,4 L0,7.5 z" fill="context-stroke" />
        </marker>
      </defs>
      {layout.points.map((_, edge) => {
        const lit = edges.to[edge] === block ? "into" : edges.from[edge] === block ? "out" : "";
        const kind = edges.back[edge] ? "back" : edges.jump[edge] ? "jump" : "";
        const end = layout.reversed[edge] && edges.from[edge] !== edges.to[edge] ? "marker-start" : "marker-end";
        return (
          <path
            key={edge}
            d={pathOfEdge(code, edge, places)}
            class={`flow-edge ${kind} ${lit}`}
            {...{ [end]: "url(#flow-arrow)" }}
          />
        );
      })}
    </svg>
  );
}

function Block({ code, place }: { code: WireCode; place: number }) {
  const program = useProgram();
  const { layout, blocks } = code;
  const block = layout.block[place]!;
  const [first, count] = [blocks.first[block]!, blocks.count[block]!];
  const kept = layout.box_lines - 1;
  const hidden = count > layout.box_lines ? count - kept : 0;
  const rows: number[] = [];
  for (let i = 0; i < count; i++) {
    if (hidden === 0 || i < Math.ceil(kept / 2) || i >= count - Math.floor(kept / 2)) rows.push(first + i);
  }
  const loop = blocks.loop[block]!;
  const isHead = loop >= 0 && code.loops.head[loop] === block;
  const gapAt = hidden > 0 ? first + Math.ceil(kept / 2) - 1 : -1;
  const [hot, costs] = [program.hot.value, program.costs.value];
  const cost = costs === null ? 0 : costOfPart(costs, first, count);
  const iterations = hot !== null && isHead ? loopAt(code, hot.heat, first) : -1;
  const style = {
    left: `${layout.x[place]}px`,
    top: `${layout.y[place]}px`,
    width: `${layout.w[place]}px`,
    height: `${layout.h[place]}px`,
  };
  return (
    <article class={`flow-block depth-${Math.min(blocks.depth[block]!, 3)}`} style={style}>
      <header>
        <span class="number">{formatAddress(code.instructions.address[first]!)}</span>
        {loop >= 0 && (
          <span class={isHead ? "loop-name" : "dim"}>{isHead ? `loop ${loop + 1}` : `in loop ${loop + 1}`}</span>
        )}
        {costs !== null && cost > 0 && (
          <span class="block-cost" title={`${formatCount(cost)} ${costs.unit}`}>
            {formatShare(cost / Math.max(costs.all, 1))}
            {iterations >= 0 && `, ${formatCount(hot!.heat.loops.median[iterations]!)} a round`}
          </span>
        )}
      </header>
      {rows.map((i) => (
        <>
          <div
            key={i}
            class={`flow-row ${costs === null ? "" : "is-hot"} ${i === program.instruction.value ? "current" : ""}`}
            style={costs === null ? undefined : { "--heat": heatOf(costs.of[i]!, costs.most) }}
            title={costs === null ? undefined : `${formatCount(costs.of[i]!)} ${costs.unit}`}
            onClick={() => program.look({ ins: String(i), line: null })}
          >
            <InstructionText code={code} index={i} />
          </div>
          {i === gapAt && <div class="flow-row dim">… {hidden} more</div>}
        </>
      ))}
    </article>
  );
}
