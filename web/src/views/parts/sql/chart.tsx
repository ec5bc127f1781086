// A chart of an answer's two columns of numbers: points, joined by a line where they come in the order of the first. A
// click on a point goes where its row leads.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatCount } from "../../../lib/text";
import type { Chart } from "./answer";
import { makeTicks, spread } from "./scale";

const kWidth = 900;
const kHeight = 220;
const kLeft = 84;
const kRight = 14;
const kTop = 10;
const kBottom = 34;
const kMostDots = 400;

interface ChartProps {
  chart: Chart;
  onRow: (row: number) => void;
}

export function AnswerChart({ chart, onRow }: ChartProps) {
  const { points } = chart;
  const near = useSignal<number | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  const x = spread(
    points.map((p) => p.x),
    kLeft,
    kWidth - kRight,
  );
  const y = spread([...points.map((p) => p.y), 0], kHeight - kBottom, kTop);
  const isOrdered = points.every((p, at) => at === 0 || points[at - 1]!.x <= p.x);
  const nearest = (event: PointerEvent) => {
    const box = svg.current!.getBoundingClientRect();
    const px = ((event.clientX - box.left) / box.width) * kWidth;
    const py = ((event.clientY - box.top) / box.height) * kHeight;
    let best: number | null = null;
    let least = Infinity;
    points.forEach((p, at) => {
      const far = Math.hypot(x.at(p.x) - px, (y.at(p.y) - py) / (isOrdered ? 4 : 1));
      if (far < least) [best, least] = [at, far];
    });
    return best;
  };
  const shown = near.value === null ? undefined : points[near.value];
  return (
    <svg
      ref={svg}
      class="sql-chart"
      viewBox={`0 0 ${kWidth} ${kHeight}`}
      role="img"
      aria-label={`Chart of ${chart.y} over ${chart.x}`}
      onPointerMove={(event) => (near.value = nearest(event))}
      onPointerLeave={() => (near.value = null)}
      onClick={() => near.value !== null && onRow(points[near.value]!.row)}
    >
      {makeTicks(y.least, y.most, 4).map((at) => (
        <g key={`y${at}`}>
          <line class="grid" x1={kLeft} x2={kWidth - kRight} y1={y.at(at)} y2={y.at(at)} />
          <text x={kLeft - 8} y={y.at(at) + 3} text-anchor="end">
            {formatTick(at)}
          </text>
        </g>
      ))}
      {makeTicks(x.least, x.most, 6).map((at) => (
        <text key={`x${at}`} x={x.at(at)} y={kHeight - kBottom + 14} text-anchor="middle">
          {formatTick(at)}
        </text>
      ))}
      <text class="name" x={kWidth - kRight} y={kHeight - 6} text-anchor="end">
        {chart.x}
      </text>
      <text class="name" x={kLeft + 6} y={kTop + 8}>
        {chart.y}
      </text>
      {isOrdered && (
        <polyline points={points.map((p) => `${x.at(p.x).toFixed(1)},${y.at(p.y).toFixed(1)}`).join(" ")} />
      )}
      {(!isOrdered || points.length <= kMostDots) &&
        points.map((p) => <circle key={p.row} cx={x.at(p.x)} cy={y.at(p.y)} r={isOrdered ? 1.8 : 2.5} />)}
      {shown !== undefined && (
        <g class="near">
          <circle cx={x.at(shown.x)} cy={y.at(shown.y)} r={4} />
          <text
            x={x.at(shown.x) + (x.at(shown.x) > kWidth / 2 ? -8 : 8)}
            y={Math.max(y.at(shown.y) - 8, kTop + 8)}
            text-anchor={x.at(shown.x) > kWidth / 2 ? "end" : "start"}
          >
            {formatCount(shown.y)} at {formatCount(shown.x)}
          </text>
        </g>
      )}
    </svg>
  );
}

function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-3)) return value.toExponential(2);
  return formatCount(Number(value.toPrecision(12)));
}
