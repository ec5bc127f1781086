// Ranks below one another and time or steps beside one another, as colours. A pointer over it says what is there, a
// click chooses the rank; for keys and readers there is the table of ranks below.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sizeCanvas } from "../../draw/canvas";
import { useApp } from "../parts/app-context";
import type { HeatRows } from "./model";

interface HeatMapProps {
  heat: HeatRows;
  label: string;
  /** share: 0 to 1 of one colour; difference: from the middle to either side. */
  tone: "share" | "difference";
  chosen: number | null;
  onRank: (rank: number) => void;
  say: (row: number, column: number) => string;
}

const kLabelWidth = 44;
const kLeastRow = 3;
const kMostRow = 16;
const kHeight = 420;
/** The first row's number needs as much above its middle. */
const kTop = 5;
/** A smaller difference than this is no colour at all. */
const kLeastDifference = 0.02;

/** The difference that is as strong a colour as there is. */
export function strongestOf(heat: HeatRows): number {
  let most = kLeastDifference;
  for (const row of heat.values) for (const value of row) most = Math.max(most, Math.abs(value ?? 0));
  return most;
}

export function HeatMap({ heat, label, tone, chosen, onRank, say }: HeatMapProps) {
  const { theme } = useApp();
  const shownTheme = theme.shown.value;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const at = useSignal<{ row: number; column: number; x: number; y: number } | null>(null);
  const rows = heat.ranks.length;
  const rowHeight = Math.min(kMostRow, Math.max(kLeastRow, Math.floor(kHeight / Math.max(rows, 1))));
  const height = kTop + rowHeight * rows;

  useEffect(() => {
    const element = canvas.current!;
    const around = box.current!;
    const draw = () => drawHeat(element, around.clientWidth, height, rowHeight, heat, tone, chosen);
    const observer = new ResizeObserver(draw);
    observer.observe(around);
    draw();
    return () => observer.disconnect();
  }, [heat, tone, chosen, height, rowHeight, shownTheme]);

  const placeOf = (event: PointerEvent | MouseEvent) => {
    const bounds = canvas.current!.getBoundingClientRect();
    const row = Math.floor((event.clientY - bounds.top - kTop) / rowHeight);
    const share = (event.clientX - bounds.left - kLabelWidth) / (bounds.width - kLabelWidth);
    const column = Math.floor(share * heat.columns);
    if (row < 0 || row >= rows || column >= heat.columns) return null;
    return { row, column: Math.max(column, 0), x: event.clientX - bounds.left, y: kTop + (row + 1) * rowHeight };
  };
  const said = at.value;
  return (
    <div class="heat-map" ref={box}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        style={{ height: `${height}px` }}
        onPointerMove={(event) => (at.value = placeOf(event))}
        onPointerLeave={() => (at.value = null)}
        onClick={(event) => {
          const place = placeOf(event);
          if (place !== null) onRank(heat.ranks[place.row]!);
        }}
      />
      {said !== null && said.row < rows && (
        <div
          class="heat-tip"
          style={{
            top: `${said.y + 6}px`,
            ...(said.x > box.current!.clientWidth / 2
              ? { right: `${box.current!.clientWidth - said.x}px` }
              : { left: `${said.x}px` }),
          }}
        >
          {say(said.row, said.column)}
        </div>
      )}
    </div>
  );
}

function drawHeat(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  rowHeight: number,
  heat: HeatRows,
  tone: HeatMapProps["tone"],
  chosen: number | null,
): void {
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [raised, busy, slow, fast, dim, text] = ["--raised", "--bar", "--removed", "--accent", "--dim", "--text"].map(
    colour,
  );
  const ratio = sizeCanvas(canvas, width, height);
  canvas.style.width = `${width}px`;
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const gap = rowHeight >= 5 ? 1 : 0;
  const room = width - kLabelWidth;
  const strongest = strongestOf(heat);
  for (let row = 0; row < heat.ranks.length; row++) {
    const top = kTop + row * rowHeight;
    for (let column = 0; column < heat.columns; column++) {
      const value = heat.values[row]![column] ?? null;
      if (value === null) continue;
      const left = kLabelWidth + Math.floor((column * room) / heat.columns);
      const right = kLabelWidth + Math.floor(((column + 1) * room) / heat.columns);
      const columnGap = right - left >= 6 ? 1 : 0;
      context.globalAlpha = 1;
      context.fillStyle = raised!;
      context.fillRect(left, top, right - left - columnGap, rowHeight - gap);
      context.globalAlpha = tone === "share" ? value : Math.abs(value) / strongest;
      context.fillStyle = tone === "share" ? busy! : value > 0 ? slow! : fast!;
      context.fillRect(left, top, right - left - columnGap, rowHeight - gap);
    }
  }
  context.globalAlpha = 1;
  drawLabels(context, heat, rowHeight, chosen, dim!, text!);
  const place = chosen === null ? -1 : heat.ranks.indexOf(chosen);
  if (place < 0) return;
  context.strokeStyle = text!;
  context.strokeRect(kLabelWidth - 0.5, kTop + place * rowHeight - 0.5, room, rowHeight);
}

/** As many numbers of ranks as there is room for, the chosen one always. */
function drawLabels(
  context: CanvasRenderingContext2D,
  heat: HeatRows,
  rowHeight: number,
  chosen: number | null,
  dim: string,
  text: string,
): void {
  const every = Math.ceil(12 / rowHeight);
  context.font = "10px system-ui, sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  const place = chosen === null ? -1 : heat.ranks.indexOf(chosen);
  heat.ranks.forEach((rank, row) => {
    const isChosen = row === place;
    const isNearChosen = place >= 0 && Math.abs(row - place) < every;
    if (!isChosen && (row % every !== 0 || isNearChosen)) return;
    context.fillStyle = isChosen ? text : dim;
    context.fillText(String(rank), kLabelWidth - 8, kTop + row * rowHeight + rowHeight / 2);
  });
}
