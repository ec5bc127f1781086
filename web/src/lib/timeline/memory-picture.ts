// A lane's memory as the server draws it for one view (GET /api/v1/memory/KEY/LANE, server/http/API.md): rectangles
// that are at least a pixel both ways, how much of each small cell the others cover, and the bytes live by column.
import { ColumnReader } from "./tile-codec";

/** By time, or each allocation and free as wide as any other, so that bursts can be told apart. */
export type MemoryOrder = "time" | "events";

/** The live bytes in a column: on entering and on leaving it, and the extremes between. */
export interface LiveStep {
  /** Its place in the picture. */
  column: number;
  before: number;
  after: number;
  low: number;
  high: number;
}

export interface MemoryPicture {
  /** The range that it shows: times, or numbers of changes. */
  from: number;
  to: number;
  /** Columns and lines. Lines count from offset 0 upwards. */
  width: number;
  height: number;
  blocks: {
    x: Float64Array;
    w: Float64Array;
    y: Float64Array;
    h: Float64Array;
    category: Float64Array;
    index: Float64Array;
  };
  cellsWide: number;
  cellsHigh: number;
  /** By cell, from the lowest offset: in 255ths. */
  coverage: Uint8Array;
  /** By column with changes, the first always there: live bytes, the least, the most and the last. */
  live: { column: Float64Array; low: Float64Array; high: Float64Array; last: Float64Array };
  categoryCount: number;
  /** At the most of each such column, category after category. */
  categoryBytes: Float64Array;
}

const kVersion = 1;

/**
 * from and to are those of the request; without, all of it is there, a column a unit. Throws a RangeError where the
 * answer is not what it should be.
 */
export function readMemoryPicture(answer: ArrayBuffer, from = 0, to?: number): MemoryPicture {
  const reader = new ColumnReader(answer);
  if (reader.one() !== kVersion) throw new RangeError("the view of memory is of another version");
  const [width, height, n, categoryCount, t] = [reader.one(), reader.one(), reader.one(), reader.one(), reader.one()];
  const blocks = {
    x: addUp(reader.zigzag(n)),
    w: reader.many(n).map((less) => less + 1),
    y: reader.many(n),
    h: reader.many(n).map((less) => less + 1),
    category: reader.many(n),
    index: addUp(reader.zigzag(n)),
  };
  const [cellsWide, cellsHigh] = [reader.one(), reader.one()];
  const coverage = reader.bytes(cellsWide * cellsHigh);
  const live = { column: addUp(reader.many(t)), low: reader.many(t), high: reader.many(t), last: reader.many(t) };
  const categoryBytes = reader.many(categoryCount * t);
  return {
    from,
    to: to ?? width,
    width,
    height,
    blocks,
    cellsWide,
    cellsHigh,
    coverage,
    live,
    categoryCount,
    categoryBytes,
  };
}

function addUp(differences: Float64Array): Float64Array {
  let sum = 0;
  return differences.map((difference) => (sum += difference));
}

/** The live line's steps, in the picture's own columns. */
export function stepsOf({ live, width }: MemoryPicture): LiveStep[] {
  let before = live.low[0] ?? 0;
  const steps = Array.from(live.column, (column, i): LiveStep => {
    const step = { column, before, after: live.last[i]!, low: live.low[i]!, high: live.high[i]! };
    before = step.after;
    return step;
  });
  steps.push({ column: width, before, after: before, low: before, high: before });
  return steps;
}

/** The bytes live at a column. */
export function liveAt({ live }: MemoryPicture, column: number): number {
  let i = live.column.length - 1;
  while (i > 0 && live.column[i]! > column) i--;
  return Math.floor(column) === live.column[i] ? (live.high[i] ?? 0) : (live.last[i] ?? 0);
}

/**
 * The block that holds a column and a line (from offset 0), else the nearest within reach, in columns and lines; -1
 * where there is none. The reach makes rectangles thinner than the pointer hittable.
 */
export function findBlock({ blocks }: MemoryPicture, column: number, line: number, reach: BlockReach): number {
  let best = -1;
  let bestGap = Infinity;
  for (let i = blocks.x.length - 1; i >= 0; i--) {
    const [x, y] = [blocks.x[i]!, blocks.y[i]!];
    const across = Math.max(x - column, column - (x + blocks.w[i]!), 0) / reach.columns;
    const along = Math.max(y - line, line - (y + blocks.h[i]!), 0) / reach.lines;
    if (across > 1 || along > 1 || across + along >= bestGap) continue;
    best = i;
    bestGap = across + along;
    if (bestGap === 0) break;
  }
  return best;
}

export interface BlockReach {
  columns: number;
  lines: number;
}
