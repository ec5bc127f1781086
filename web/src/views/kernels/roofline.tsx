// The roofline of a device: arithmetic a second over arithmetic a byte, both logarithmic; what its memory and its units
// allow, and each kernel as a dot of its time. Dragging moves, Ctrl with the wheel zooms, a double click shows all.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatRate, type WireDevice, type WireKernel } from "../../lib/devices";
import { fitScale, makeDecades, zoomScale, type LogScale } from "./log-scale";

const kWidth = 340;
const kHeight = 260;
const kLeft = 52;
const kBottom = 30;
const kTop = 8;
const kRight = 8;

interface RooflineProps {
  device: WireDevice;
  /** Rows whose memory and time are known, and for most the arithmetic. */
  rows: readonly WireKernel[];
  nameOf: (row: WireKernel) => string;
  chosen: WireKernel | null;
  onChoose: (row: WireKernel) => void;
}

export function Roofline({ device, rows, nameOf, chosen, onChoose }: RooflineProps) {
  const ceilings = groupCeilings(device.peak?.flops ?? {});
  const bandwidth = device.peak?.bytes_per_s ?? 0;
  const ridges = bandwidth > 0 ? ceilings.map(([, peak]) => peak / bandwidth) : [];
  const computing = rows.filter((row) => intensityOf(row) !== null);
  const x = fitScale([...computing.map((row) => intensityOf(row)!), ...ridges], kLeft, kWidth - kRight);
  const moving = rows.filter((row) => intensityOf(row) === null).map((row) => row.bytes_per_s! * x.least);
  const rates = [...computing.map((row) => row.flop_per_s!), ...moving, ...ceilings.map(([, peak]) => peak)];
  const fit = { x, y: fitScale(rates, kHeight - kBottom, kTop) };
  const { svg, scales, handlers } = useMovedScales(fit);
  const longest_ns = Math.max(...rows.map(({ total_ns }) => total_ns));
  return (
    <svg
      ref={svg}
      class="roofline"
      viewBox={`0 0 ${kWidth} ${kHeight}`}
      role="img"
      aria-label="Roofline: arithmetic a second over arithmetic a byte"
      {...handlers}
    >
      <clipPath id="roofline-plot">
        <rect x={kLeft} y={kTop} width={kWidth - kLeft - kRight} height={kHeight - kTop - kBottom} />
      </clipPath>
      <Axes {...scales} />
      <g clip-path="url(#roofline-plot)">
        {bandwidth > 0 &&
          ceilings.map(([precision, peak]) => (
            <Roof key={precision} {...scales} precision={precision} peak={peak} bandwidth={bandwidth} />
          ))}
        {rows.map((row) => (
          <circle
            key={`${row.class} ${nameOf(row)}`}
            class={row === chosen ? "dot current" : "dot"}
            cx={scales.x.at(intensityOf(row) ?? scales.x.least)}
            cy={scales.y.at(intensityOf(row) === null ? row.bytes_per_s! * scales.x.least : row.flop_per_s!)}
            r={3 + 9 * Math.sqrt(row.total_ns / longest_ns)}
            onClick={() => onChoose(row)}
          >
            <title>{`${nameOf(row)}\n${sayReached(row)}`}</title>
          </circle>
        ))}
      </g>
    </svg>
  );
}

/** Arithmetic a byte; null where none is known, or of other launches than the bytes. */
const intensityOf = ({ flop, bytes, flop_per_s, flop_known, bytes_known }: WireKernel) =>
  (flop ?? 0) > 0 && flop_per_s !== null && flop_known === bytes_known ? flop! / bytes! : null;

function sayReached(row: WireKernel): string {
  const intensity = intensityOf(row);
  if (intensity === null) return `${formatRate(row.bytes_per_s!, "B/s")}, no arithmetic counted`;
  return `${formatRate(row.flop_per_s!, "FLOP/s")}, ${intensity.toPrecision(3)} FLOP/B`;
}

interface Scales {
  x: LogScale;
  y: LogScale;
}

/** The scales as they fit, until somebody drags or zooms. */
function useMovedScales(fit: Scales) {
  const moved = useSignal<Scales | null>(null);
  const { x, y } = moved.value ?? fit;
  const svg = useRef<SVGSVGElement>(null);
  const drag = useRef<{ px: number; py: number } | null>(null);
  const shift = (dx: number, dy: number) => {
    const scale = svg.current!.clientWidth / kWidth;
    moved.value = { x: x.shifted(-dx / scale), y: y.shifted(-dy / scale) };
  };
  const handlers = {
    onWheel(event: WheelEvent) {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = svg.current!.getBoundingClientRect();
      const factor = event.deltaY < 0 ? 1.25 : 0.8;
      moved.value = {
        x: zoomScale(x, factor, ((event.clientX - box.left) / box.width) * kWidth),
        y: zoomScale(y, factor, ((event.clientY - box.top) / box.height) * kHeight),
      };
    },
    onPointerDown: (event: PointerEvent) => (drag.current = { px: event.clientX, py: event.clientY }),
    onPointerMove(event: PointerEvent) {
      if (drag.current === null || event.buttons === 0) return;
      shift(event.clientX - drag.current.px, event.clientY - drag.current.py);
      drag.current = { px: event.clientX, py: event.clientY };
    },
    onPointerUp: () => (drag.current = null),
    onDblClick: () => (moved.value = null),
  };
  return { svg, scales: { x, y }, handlers };
}

function Axes({ x, y }: Scales) {
  return (
    <>
      {makeDecades(x).map((at) => (
        <g key={`x${at}`}>
          <line class="grid" x1={x.at(at)} x2={x.at(at)} y1={kTop} y2={kHeight - kBottom} />
          <text x={x.at(at)} y={kHeight - kBottom + 12} text-anchor="middle">
            {at >= 1000 ? `${at / 1000}k` : Number(at.toPrecision(1))}
          </text>
        </g>
      ))}
      {makeDecades(y).map((at) => (
        <g key={`y${at}`}>
          <line class="grid" x1={kLeft} x2={kWidth - kRight} y1={y.at(at)} y2={y.at(at)} />
          <text x={kLeft - 4} y={y.at(at) + 3} text-anchor="end">
            {formatRate(at, "").replace(/\.0+ /, " ")}
          </text>
        </g>
      ))}
      <text x={(kLeft + kWidth) / 2} y={kHeight - 4} text-anchor="middle">
        FLOP/byte
      </text>
      <text x={12} y={kHeight / 2 - 10} text-anchor="middle" transform={`rotate(-90 12 ${kHeight / 2 - 10})`}>
        FLOP/s
      </text>
    </>
  );
}

interface RoofProps extends Scales {
  precision: string;
  peak: number;
  bandwidth: number;
}

/** The roof that memory sets up to the ridge, and that the units of a precision set from there on. */
function Roof({ x, y, precision, peak, bandwidth }: RoofProps) {
  const [from, ridge, to] = [x.least, peak / bandwidth, x.most];
  const points = [from, Math.min(Math.max(ridge, from), to), to].map(
    (at) => `${x.at(at)},${y.at(Math.min(peak, at * bandwidth))}`,
  );
  return (
    <g>
      <polyline class="roof" points={points.join(" ")} />
      <text class="roof-name" x={kWidth - kRight - 4} y={y.at(peak) - 3} text-anchor="end">
        {precision}
      </text>
    </g>
  );
}

/** Precisions of one peak, or nearly, are one line. */
function groupCeilings(flops: Record<string, number>): [names: string, peak: number][] {
  const groups: [string, number][] = [];
  for (const [name, peak] of Object.entries(flops).sort(([, a], [, b]) => a - b)) {
    const last = groups.at(-1);
    if (last !== undefined && peak < 1.15 * last[1]) last[0] += `, ${name}`;
    else groups.push([name, peak]);
  }
  return groups;
}
