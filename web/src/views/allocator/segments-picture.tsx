// The allocator at a moment: its segments as rows by pool, stream and address, their blocks to scale. Over a block its
// allocation is shown; a click keeps it.
import { useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { drawSegments, kSegmentLabel_px, segmentWidth, type SegmentsScene } from "../../draw/allocator/segments";
import { isPython, sayEntry, sayLine, type WireAllocatorState } from "../../lib/allocator";
import {
  addressOf,
  blockAt,
  kSegmentRow_px,
  layOutSegments,
  listFreePieces,
  type FreePiece,
  type SegmentRow,
} from "../../lib/allocator-segments";
import { formatBytes } from "../../lib/bytes";
import { formatPlural } from "../../lib/text";
import { formatMoment } from "../../lib/time";
import { dataOf } from "../../state/fetched";
import { useAsSignal } from "../parts/as-signal";
import { useDrawing } from "../parts/drawn-canvas";
import type { AllocatorState } from "./state";
import { useColours } from "./use-colours";

/** How many owners have a colour of their own in the curve. */
export const kColoured = 12;
const kFrames = 4;

interface SegmentsProps {
  state: AllocatorState;
  data: WireAllocatorState;
}

export function SegmentsPicture({ state, data }: SegmentsProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { isOneScale } = state;
  const pointer = useSignal<Pointer | null>(null);
  const layout = useMemo(() => layOutSegments(data.segments), [data]);
  const size = useSize(box);
  const pieces = useMemo(() => listFreePieces(layout.rows), [layout]);
  const address = state.piece.value;
  const piece = useMemo(() => pieces.find((one) => addressOf(one) === address) ?? null, [pieces, address]);
  const scene = useSegmentsScene({ state, data }, layout.rows, size, piece);
  // Once it is chosen, and where a link says so: not when another moment moves the rows.
  useEffect(() => {
    const shown = box.current;
    if (shown === null || piece === null) return;
    const { top } = piece.row;
    if (top < shown.scrollTop || top + kSegmentRow_px > shown.scrollTop + shown.clientHeight)
      shown.scrollTop = top - shown.clientHeight / 2;
  }, [address]);
  useDrawing(canvas, { scene, sizeOf: (shown) => shown, draw: drawSegments });
  return (
    <div class="allocator-segments">
      <p class="allocator-hint dim">
        Colours are those of the owners, hatched is freed but still in use, empty is free.{" "}
        <button class="link" onClick={() => state.setOneScale(!isOneScale.value)}>
          {isOneScale.value ? "Give each segment all the width" : "Draw all to one scale"}
        </button>
      </p>
      <FreePieces pieces={pieces} chosen={piece} onChoose={(next) => state.choosePiece(addressOf(next))} />
      <div class="allocator-segments-box" ref={box} data-scrolls tabIndex={0}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${data.segments.length} segments and their blocks`}
          style={{ height: `${size.value.height}px` }}
          onPointerMove={(event) => {
            const bounds = canvas.current!.getBoundingClientRect();
            const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
            const found = findBlock(scene.peek(), x, y);
            state.hovered.value = found === null || found.life < 0 ? null : found.life;
            const isFree = found !== null && found.life < 0;
            pointer.value = { x, y, free: isFree ? `${formatBytes(found.bytes)} free` : "" };
          }}
          onPointerLeave={() => {
            state.hovered.value = null;
            pointer.value = null;
          }}
          onClick={() => state.hovered.peek() !== null && state.chooseLife(state.hovered.peek())}
        />
        <div style={{ height: `${Math.max(layout.height - size.value.height, 0)}px` }} />
      </div>
      {pointer.value !== null && <BlockTip state={state} pointer={pointer.value} />}
    </div>
  );
}

interface FreePiecesProps {
  pieces: readonly FreePiece[];
  chosen: FreePiece | null;
  onChoose: (piece: FreePiece) => void;
}

/** The largest of them: what could be had in one piece. A click shows where it lies. */
function FreePieces({ pieces, chosen, onChoose }: FreePiecesProps) {
  if (pieces.length === 0) return <p class="allocator-hint dim">Nothing lies free in segments.</p>;
  const shown = pieces.slice(0, kPieces);
  const rest = pieces.length - shown.length;
  return (
    <p class="allocator-hint dim">
      Free, by size:{" "}
      {shown.map((piece, i) => (
        <Fragment key={i}>
          {i > 0 && " · "}
          <button class="link" aria-pressed={piece === chosen} onClick={() => onChoose(piece)}>
            {formatBytes(piece.bytes)}
          </button>
        </Fragment>
      ))}
      {rest > 0 && ` and ${formatPlural(rest, "piece")} more`}
    </p>
  );
}

const kPieces = 12;

/** Where it is, and what is free there. */
interface Pointer {
  x: number;
  y: number;
  free: string;
}

/** The block at a point of the picture; null where there is none. */
function findBlock(scene: SegmentsScene, x: number, y: number): { life: number; bytes: number } | null {
  const row = scene.rows.find(({ top }) => {
    const at = y + scene.scroll_px - top;
    return at >= 0 && at < kSegmentRow_px;
  });
  if (row === undefined || x < kSegmentLabel_px) return null;
  const { segment } = row;
  const offset = ((x - kSegmentLabel_px) / segmentWidth(scene, segment.size_bytes)) * segment.size_bytes;
  const block = blockAt(segment, offset);
  return block < 0 ? null : { life: segment.life[block]!, bytes: segment.bytes[block]! };
}

interface Size {
  width: number;
  height: number;
  scroll: number;
}

function useSize(box: { current: HTMLDivElement | null }): ReadonlySignal<Size> {
  const size = useSignal<Size>({ width: 0, height: 0, scroll: 0 });
  useEffect(() => {
    const element = box.current!;
    const measure = () =>
      (size.value = { width: element.clientWidth, height: element.clientHeight, scroll: element.scrollTop });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure);
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [box, size]);
  return size;
}

function useSegmentsScene(
  { state, data }: SegmentsProps,
  rows: readonly SegmentRow[],
  size: ReadonlySignal<Size>,
  piece: FreePiece | null,
): ReadonlySignal<SegmentsScene> {
  const look = useAsSignal(useColours());
  const largest_bytes = useMemo(() => Math.max(...data.segments.map((s) => s.size_bytes), 1), [data]);
  const known = useAsSignal(useMemo(() => ({ rows, largest_bytes, chosenPiece: piece }), [rows, largest_bytes, piece]));
  return useComputed<SegmentsScene>(() => ({
    ...known.value,
    width_px: size.value.width,
    height_px: size.value.height,
    scroll_px: size.value.scroll,
    isOneScale: state.isOneScale.value,
    coloured: kColoured,
    chosenOwner: state.owner.value,
    chosenLife: state.hovered.value ?? dataOf(state.life.value)?.life.life ?? null,
    ...look.value,
  }));
}

/** The allocation under the pointer: its life, stack, bytes. */
function BlockTip({ state, pointer: { x, y, free } }: { state: AllocatorState; pointer: Pointer }) {
  const detail = state.hovered.value === null ? undefined : dataOf(state.hoveredLife.value);
  if (detail === undefined && free === "") return null;
  const style = { left: `${Math.max(x - 200, 8)}px`, top: `${y + 44}px` };
  if (detail === undefined) {
    return (
      <div class="allocator-tip" style={style} role="tooltip">
        {free}
      </div>
    );
  }
  const { life, frames } = detail;
  const sayAt = (ns: number, entry: number) => (state.hasTimes.value ? formatMoment(ns) : sayEntry(entry));
  return (
    <div class="allocator-tip" style={style} role="tooltip">
      <b>{sayLine(life.line)}</b>
      <div>
        {formatBytes(life.block_bytes)}, requested {formatBytes(life.requested_bytes)}
      </div>
      <div class="dim">
        {life.born_ns === null ? "made before the first entry" : `made at ${sayAt(life.born_ns, life.born_entry)}`},{" "}
        {life.freed_ns === null ? "never freed" : `freed at ${sayAt(life.freed_ns, life.freed_entry!)}`}
      </div>
      {life.metadata !== null && <div class="dim">{life.metadata}</div>}
      {frames.length === 0 && <div class="dim">no stack recorded</div>}
      {life.forward_line !== null && <div class="mono dim">forward: {sayLine(life.forward_line)}</div>}
      {frames
        .filter(isPython)
        .slice(0, kFrames)
        .map((frame, i) => (
          <div key={i} class="mono dim">
            {sayLine(`${frame.file}:${frame.line}:${frame.function}`)}
          </div>
        ))}
    </div>
  );
}
