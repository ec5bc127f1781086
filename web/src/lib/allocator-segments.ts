// An allocator's segments at a moment: where they lie on the screen, and what lies free in them.
import { sayOwner, type WireSegment } from "./allocator";
import { sampleAt } from "./allocator-curve";
import { formatBytes } from "./bytes";
import { formatPlural } from "./text";

export interface SegmentRow {
  /** The heading of a group of one pool and stream: it is above this row. */
  heading: string | null;
  segment: WireSegment;
  top: number;
}

export const kSegmentRow_px = 20;
export const kSegmentHeading_px = 24;

/** Segments by pool, stream and address, with a heading for each pool and stream; and how high all are. */
export function layOutSegments(segments: readonly WireSegment[]): { rows: SegmentRow[]; height: number } {
  const keyOf = ({ pool, stream }: WireSegment) => `${pool === null ? "?" : pool.join(",")} ${stream}`;
  const groups = new Map<string, WireSegment[]>();
  for (const segment of segments) {
    const group = groups.get(keyOf(segment)) ?? [];
    groups.set(keyOf(segment), group);
    group.push(segment);
  }
  const rows: SegmentRow[] = [];
  let top = 0;
  for (const group of [...groups.values()].sort((a, b) => sumOf(b) - sumOf(a))) {
    group.forEach((segment, i) => {
      if (i === 0) top += kSegmentHeading_px;
      rows.push({ heading: i === 0 ? sayGroup(group) : null, segment, top });
      top += kSegmentRow_px;
    });
  }
  return { rows, height: top };
}

export interface FreePiece {
  row: SegmentRow;
  offset: number;
  bytes: number;
}

/** What lies free in segments, the largest first. */
export function listFreePieces(rows: readonly SegmentRow[]): FreePiece[] {
  const pieces = rows.flatMap((row) =>
    row.segment.life.flatMap((life, i) =>
      life < 0 ? [{ row, offset: row.segment.offset[i]!, bytes: row.segment.bytes[i]! }] : [],
    ),
  );
  return pieces.sort((a, b) => b.bytes - a.bytes);
}

/** What a piece is known by. */
export const addressOf = ({ row, offset }: FreePiece): string =>
  `0x${(BigInt(row.segment.address) + BigInt(offset)).toString(16)}`;

const sumOf = (segments: readonly WireSegment[]) => segments.reduce((sum, { size_bytes }) => sum + size_bytes, 0);

function sayGroup(group: readonly WireSegment[]): string {
  const { pool, stream } = group[0]!;
  const of = pool === null ? "pool not recorded" : sayOwner(pool, "pool");
  return `${of}, stream ${stream} · ${formatPlural(group.length, "segment")} · ${formatBytes(sumOf(group))}`;
}

/** The block at an offset of a segment: its place; -1 where there is none. */
export function blockAt(segment: WireSegment, offset: number): number {
  const at = sampleAt(segment.offset, offset);
  return segment.offset.length > 0 && offset < segment.offset[at]! + segment.bytes[at]! ? at : -1;
}
