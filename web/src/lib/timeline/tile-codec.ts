// Reads what GET /api/v1/tiles answers (server/http/API.md): columns of varints, all of one before the next.

/** One row of a tile. Times in units of 2^level ns from the tile's start. */
export interface TileRow {
  /** Index of its first event. */
  first: number;
  /** Whether that event began before the tile. */
  isCarriedOver: boolean;
  /** Events that begin in it, and the time in which one runs: exact. */
  count: number;
  busy_ns: number;
  /** By span. */
  start: Float64Array;
  width: Float64Array;
  /** How many events: exact up to 2, above within two fifths. */
  events: Uint32Array;
  /** The index of one event; kUnknown for several. */
  event: Uint32Array;
  name: Uint32Array;
  /** The number of one event's kind, and kError; 0 for several. */
  traits: Uint8Array;
  /** In 255ths; 255 of one event. */
  busy: Uint8Array;
  share: Uint8Array;
  /** Columns (four units) with events that were asked for, and how many begin in each. */
  ticks: Float64Array;
  picked: Uint32Array;
}

/** A counter's tile: what it holds by column; its extremes. */
export interface TileCounter {
  column: Float64Array;
  min: Float64Array;
  max: Float64Array;
  last: Float64Array;
}

export interface Tiles {
  level: number;
  /** The first tile and the last. */
  from: number;
  to: number;
  /** By row of the answer, in it by tile. */
  rows: { lane: number; row: number; tiles: TileRow[] }[];
  counters: { lane: number; counter: number; tiles: TileCounter[] }[];
}

export const kTileColumns = 256;
export const kColumnUnits = 4;
export const kTileUnits = kTileColumns * kColumnUnits;
export const kUnknown = 0xffffffff;
/** A bit of traits: beside the kind, which is below it. */
export const kError = 4;
const kVersion = 5;

/** Throws a RangeError where the answer is not what it should be. */
export function readTiles(answer: ArrayBuffer, hasTicks: boolean): Tiles {
  const reader = new ColumnReader(answer);
  if (reader.one() !== kVersion) throw new RangeError("the tiles are of another version");
  const [level, from, to, rowCount, counterCount] = [
    reader.one(),
    reader.one(),
    reader.one(),
    reader.one(),
    reader.one(),
  ];
  const tileCount = to - from + 1;
  const cells = rowCount * tileCount;
  const [lane, row] = [reader.many(rowCount), reader.many(rowCount)];
  const [spans, first, count, busy_ns] = [
    reader.many(cells),
    reader.many(cells),
    reader.many(cells),
    reader.many(cells),
  ];
  const total = sum(spans);
  const [gap, width, events] = [reader.many(total), reader.many(total), reader.many(total)];
  const aggregates = events.reduce((n, more) => n + (more > 0 ? 1 : 0), 0);
  const skipped = reader.many(total - aggregates);
  const traits = reader.bytes(total - aggregates);
  const [busy, share] = [reader.bytes(aggregates), reader.bytes(aggregates)];
  const named = total - aggregates + share.reduce((n, part) => n + (part > 0 ? 1 : 0), 0);
  const name = reader.many(named);
  const tickCounts = hasTicks ? reader.many(cells) : new Float64Array(cells);
  const tickAt = reader.many(sum(tickCounts));
  const picked = reader.many(tickAt.length);
  let [s, e, a, t, k] = [0, 0, 0, 0, 0];
  const makeRow = (cell: number): TileRow => {
    const n = spans[cell]!;
    const tile: TileRow = {
      first: Math.floor(first[cell]! / 2),
      isCarriedOver: first[cell]! % 2 === 1,
      count: count[cell]!,
      busy_ns: busy_ns[cell]!,
      start: new Float64Array(n),
      width: width.slice(s, s + n).map((less) => less + 1),
      events: Uint32Array.from(events.subarray(s, s + n), (kind) => middleOfClass(kind) + 1),
      event: new Uint32Array(n).fill(kUnknown),
      name: new Uint32Array(n),
      traits: new Uint8Array(n),
      busy: new Uint8Array(n).fill(255),
      share: new Uint8Array(n).fill(255),
      ticks: new Float64Array(tickCounts[cell]!),
      picked: Uint32Array.from(picked.subarray(t, t + tickCounts[cell]!), (less) => less + 1),
    };
    let end = 0;
    let known = tile.first;
    for (let i = 0; i < n; i++, s++) {
      tile.start[i] = end + gap[s]!;
      end = tile.start[i]! + tile.width[i]!;
      if (tile.events[i] === 1) {
        tile.name[i] = name[k++]!;
        tile.traits[i] = traits[e]!;
        known = (tile.event[i] = known + skipped[e++]!) + 1;
        continue;
      }
      tile.busy[i] = busy[a]!;
      tile.share[i] = share[a++]!;
      if (tile.share[i]! > 0) tile.name[i] = name[k++]!;
    }
    for (let i = 0, at = 0; i < tile.ticks.length; i++) tile.ticks[i] = at += tickAt[t++]!;
    return tile;
  };
  const rows = Array.from(lane, (l, r) => ({
    lane: l,
    row: row[r]!,
    tiles: Array.from({ length: tileCount }, (_, i) => makeRow(r * tileCount + i)),
  }));
  return { level, from, to, rows, counters: readCounters(reader, counterCount, tileCount) };
}

/** All of a small profile: a tile as long as it for each level, and its memories by time and by order. */
export interface WholeTiles {
  levels: Tiles[];
  memories: { lane: number; byTime: ArrayBuffer; byOrder: ArrayBuffer }[];
}

const kWholeVersion = 1;

/** Reads what GET /api/v1/tiles/KEY/all answers. Throws as readTiles() does. */
export function readWholeTiles(answer: ArrayBuffer, hasTicks: boolean): WholeTiles {
  const reader = new ColumnReader(answer);
  if (reader.one() !== kWholeVersion) throw new RangeError("the tiles are of another version");
  const part = () => reader.bytes(reader.one()).buffer as ArrayBuffer;
  const levels = Array.from({ length: reader.one() }, () => readTiles(part(), hasTicks));
  const memories = Array.from({ length: reader.one() }, () => {
    return { lane: reader.one(), byTime: part(), byOrder: part() };
  });
  return { levels, memories };
}

function readCounters(reader: ColumnReader, counterCount: number, tileCount: number): Tiles["counters"] {
  const cells = counterCount * tileCount;
  const [lane, counter] = [reader.many(counterCount), reader.many(counterCount)];
  const points = reader.many(cells);
  const [low, high] = [reader.doubles(cells), reader.doubles(cells)];
  const total = sum(points);
  const gap = reader.many(total);
  const [min, max, last] = [reader.shorts(total), reader.shorts(total), reader.shorts(total)];
  let p = 0;
  const makeTile = (cell: number): TileCounter => {
    const n = points[cell]!;
    const valueOf = (part: number) => low[cell]! + ((high[cell]! - low[cell]!) * part) / 65535;
    const tile: TileCounter = {
      column: new Float64Array(n),
      min: Float64Array.from(min.subarray(p, p + n), valueOf),
      max: Float64Array.from(max.subarray(p, p + n), valueOf),
      last: Float64Array.from(last.subarray(p, p + n), valueOf),
    };
    for (let i = 0, at = 0; i < n; i++) tile.column[i] = at += gap[p++]!;
    return tile;
  };
  return Array.from(lane, (l, c) => ({
    lane: l,
    counter: counter[c]!,
    tiles: Array.from({ length: tileCount }, (_, i) => makeTile(c * tileCount + i)),
  }));
}

/** In the middle of the numbers that have so many binary digits. */
function middleOfClass(digits: number): number {
  return Math.floor(0.7 * 2 ** digits);
}

function sum(column: Float64Array): number {
  return column.reduce((total, value) => total + value, 0);
}

/** Takes columns one after another. A column is as long as asked, so an answer that is cut short is noticed at once. */
export class ColumnReader {
  private readonly data: Uint8Array;
  private at = 0;

  constructor(answer: ArrayBuffer) {
    this.data = new Uint8Array(answer);
  }

  /** A LEB128 varint, up to 2^53. */
  one(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.data[this.at++];
      if (byte === undefined) throw new RangeError("the answer ends early");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  many(count: number): Float64Array {
    if (count > this.data.length - this.at) throw new RangeError("the answer ends early");
    return Float64Array.from({ length: count }, () => this.one());
  }

  /** Differences that may be below 0: 0, -1, 1, -2, … */
  zigzag(count: number): Float64Array {
    return this.many(count).map((code) => (code % 2 === 0 ? code / 2 : -(code + 1) / 2));
  }

  bytes(count: number): Uint8Array {
    return this.data.slice(this.take(count), this.at);
  }

  shorts(count: number): Uint16Array {
    return new Uint16Array(this.data.slice(this.take(count * 2), this.at).buffer);
  }

  doubles(count: number): Float64Array {
    return new Float64Array(this.data.slice(this.take(count * 8), this.at).buffer);
  }

  /** Moves on; returns where it was. */
  private take(bytes: number): number {
    const from = this.at;
    if (from + bytes > this.data.length) throw new RangeError("the answer ends early");
    this.at = from + bytes;
    return from;
  }
}
