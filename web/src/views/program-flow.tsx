// Basic blocks from top to bottom as the server laid them out: boxes with their instructions, jumps, loops by depth.
// Boxes are text, so that registers can be marked in them as in the list; a program has tens of them, not thousands.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatAddress, type WireCode } from "../lib/program";
import { useApp } from "./app-context";
import { Blank } from "./blank";
import { InstructionText } from "./instruction-text";

const kMostBlocks = 600;

export function ProgramFlow() {
  const { program } = useApp();
  const code = program.code.value.value?.data;
  if (code === undefined) return <Blank title="Reading the machine code" />;
  if (code.error !== null) return <Blank title="No machine code" lines={[code.error.message]} />;
  if (code.blocks.first.length > kMostBlocks)
    return <Blank title={`${code.blocks.first.length} blocks are too many to draw`} lines={["The list shows them."]} />;
  return <FlowGraph key={program.code.value.value!.wish} code={code} />;
}

function FlowGraph({ code }: { code: WireCode }) {
  const box = useRef<HTMLDivElement>(null);
  const zoom = useSignal(1);
  const { layout } = code;
  // The entry stands in the middle at first.
  useLayoutEffect(() => {
    const element = box.current!;
    element.scrollLeft = layout.x[0]! + layout.w[0]! / 2 - element.clientWidth / 2;
  }, [layout]);
  const zoomBy = (factor: number) => (zoom.value = Math.min(Math.max(zoom.value * factor, 0.2), 2));
  return (
    <div
      ref={box}
      class="flow"
      data-scrolls
      tabIndex={0}
      onWheel={(event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1);
      }}
    >
      <div class="flow-zoom">
        <button onClick={() => zoomBy(1 / 1.25)} aria-label="Zoom out">
          −
        </button>
        <button onClick={() => zoomBy(1.25)} aria-label="Zoom in">
          +
        </button>
      </div>
      <div
        class="flow-graph"
        style={{ width: `${layout.width + 120}px`, height: `${layout.height + 60}px`, zoom: zoom.value }}
      >
        <svg width={layout.width + 120} height={layout.height + 60} aria-hidden="true">
          <defs>
            <marker id="flow-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0,0 L8,4 L0,8 z" fill="context-stroke" />
            </marker>
          </defs>
          {layout.points.map((_, edge) => (
            <path
              key={edge}
              d={pathOfEdge(code, edge)}
              class={`flow-edge ${code.edges.back[edge] ? "back" : code.edges.jump[edge] ? "jump" : ""}`}
              marker-end="url(#flow-arrow)"
            />
          ))}
        </svg>
        {layout.x.map((_, block) => (
          <Block key={block} code={code} block={block} />
        ))}
      </div>
    </div>
  );
}

/** Arrows lead to the block that is jumped to; one to its own block goes around its right side. */
function pathOfEdge(code: WireCode, edge: number): string {
  const { layout, edges } = code;
  const [from, to] = [edges.from[edge]!, edges.to[edge]!];
  const side = layout.x[from]! + layout.w[from]!;
  const [top, bottom] = [layout.y[to]!, layout.y[from]! + layout.h[from]!];
  if (from === to) {
    const right = side + 26;
    return `M${side - 24},${bottom} v10 q0,6 6,6 H${right - 6} q6,0 6,-6 V${top - 10} q0,-6 -6,-6 H${side - 18} q-6,0 -6,6 v6`;
  }
  const points = layout.points[edge]!;
  const pairs: string[] = [];
  for (let p = 0; p + 1 < points.length; p += 2) pairs.push(`${points[p]},${points[p + 1]}`);
  if (layout.reversed[edge] === 1) pairs.reverse();
  return `M${pairs.join(" L")}`;
}

function Block({ code, block }: { code: WireCode; block: number }) {
  const { program } = useApp();
  const { layout, blocks } = code;
  const [first, count] = [blocks.first[block]!, blocks.count[block]!];
  const kept = layout.box_lines - 1;
  const hidden = count > layout.box_lines ? count - kept : 0;
  const rows: number[] = [];
  for (let i = 0; i < count; i++) {
    if (hidden === 0 || i < Math.ceil(kept / 2) || i >= count - Math.floor(kept / 2)) rows.push(first + i);
  }
  const loop = blocks.loop[block]!;
  const gapAt = hidden > 0 ? first + Math.ceil(kept / 2) - 1 : -1;
  const style = {
    left: `${layout.x[block]}px`,
    top: `${layout.y[block]}px`,
    width: `${layout.w[block]}px`,
    height: `${layout.h[block]}px`,
  };
  return (
    <article class={`flow-block depth-${Math.min(blocks.depth[block]!, 3)}`} style={style}>
      <header>
        <span class="number">{formatAddress(code.instructions.address[first]!)}</span>
        <span class="dim">
          {loop >= 0 ? ` loop ${loop + 1}${code.loops.head[loop] === block ? ", head" : ""}` : ""}
        </span>
      </header>
      {rows.map((i) => (
        <>
          <div
            key={i}
            class={`flow-row ${i === program.instruction.value ? "current" : ""}`}
            onClick={() => program.look({ ins: String(i), line: null })}
          >
            <InstructionText code={code} index={i} />
          </div>
          {i === gapAt && <div class="flow-row faint">… {hidden} more</div>}
        </>
      ))}
    </article>
  );
}
