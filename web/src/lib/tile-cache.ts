// Tiles that have come, and what of them can be drawn at a zoom: the tiles of its own level where they are there, else
// the finest one above them, stretched, else those below. Tiles never change; the oldest go where there are too many.
import { FamilyTable } from "./lanes-families";
import { columnOf, nsOfPixel, type Scale, type Span } from "./lanes-spans";
import { kColumnUnits, kTileUnits, type TileRow, type Tiles } from "./tile-codec";
import type { Tick } from "./timeline-source";

const kMostLevel = 50;
const kMostTileRows = 30_000;
/** So many finer levels are asked for what a coarser one lacks. */
const kFinerLevels = 2;

interface KeptTile {
  level: number;
  tile: number;
  row: TileRow;
  /** The search whose ticks it has. */
  find: string;
}

/** The smallest level whose column is at least a pixel wide. */
export function levelOf(scale: Scale): number {
  const level = Math.ceil(Math.log2(nsOfPixel(scale) / kColumnUnits));
  return Math.min(Math.max(level, 0), kMostLevel);
}

/** The tiles of a level that a range of time touches; there is nothing before 0. */
export function tilesOf(level: number, from_ns: number, to_ns: number): [first: number, last: number] {
  const tile_ns = kTileUnits * 2 ** level;
  const first = Math.max(Math.floor(from_ns / tile_ns), 0);
  return [first, Math.max(Math.floor(to_ns / tile_ns), first)];
}

export class TileCache {
  private readonly kept = new Map<string, KeptTile>();

  constructor(private readonly families: FamilyTable) {}

  add(tiles: Tiles, find: string): void {
    for (const { lane, row, tiles: list } of tiles.rows) {
      list.forEach((tile, i) => {
        const key = keyOf(tiles.level, lane, row, tiles.from + i);
        this.kept.delete(key); // so that it counts as new
        this.kept.set(key, { level: tiles.level, tile: tiles.from + i, row: tile, find });
      });
    }
    for (const key of this.kept.keys()) {
      if (this.kept.size <= kMostTileRows) break;
      this.kept.delete(key);
    }
  }

  has(level: number, lane: number, row: number, tile: number, find: string): boolean {
    return this.kept.get(keyOf(level, lane, row, tile))?.find === find;
  }

  /** What is drawn of a row, by time. */
  spansOf(scale: Scale, lane: number, row: number): Span[] {
    const spans: Span[] = [];
    this.visit(scale, lane, row, (kept, from_ns, to_ns) => this.addSpans(spans, scale, kept, from_ns, to_ns));
    return spans;
  }

  ticksOf(scale: Scale, lane: number, row: number, find: string): Tick[] {
    const ticks: Tick[] = [];
    this.visit(scale, lane, row, (kept, from_ns, to_ns) => {
      if (kept.find !== find) return;
      const unit_ns = 2 ** kept.level;
      const column_ns = kColumnUnits * unit_ns;
      for (const column of kept.row.ticks) {
        const at = (kept.tile * kTileUnits + column * kColumnUnits) * unit_ns;
        if (at + column_ns <= from_ns || at >= to_ns) continue;
        const x0 = columnOf(scale, at);
        const x1 = Math.max(columnOf(scale, at + column_ns), x0 + 2);
        const last = ticks[ticks.length - 1];
        if (last !== undefined && x0 <= last.x1) last.x1 = Math.max(last.x1, x1);
        else ticks.push({ x0, x1 });
      }
    });
    return ticks;
  }

  /** Calls `take` for the best tiles there are, by time, each with the part of the time that it stands for. */
  private visit(
    scale: Scale,
    lane: number,
    row: number,
    take: (kept: KeptTile, from_ns: number, to_ns: number) => void,
  ): void {
    const level = levelOf(scale);
    const [first, last] = tilesOf(level, scale.range.from, scale.range.to);
    let done_ns = -Infinity;
    for (let tile = first; tile <= last; tile++) {
      const tile_ns = kTileUnits * 2 ** level;
      const from_ns = Math.max(tile * tile_ns, done_ns);
      const to_ns = (tile + 1) * tile_ns;
      if (from_ns >= to_ns) continue;
      const coarser = this.findCoarser(level, lane, row, tile);
      if (coarser !== null && coarser.level === level) take(coarser, from_ns, to_ns);
      else if (!this.visitFiner(level, lane, row, tile, kFinerLevels, take) && coarser !== null) {
        // As far as it reaches, unless finer ones are there again: the next tiles ask for themselves.
        take(coarser, from_ns, to_ns);
      }
      done_ns = to_ns;
    }
  }

  /** The tile itself, or the next above it that is there. */
  private findCoarser(level: number, lane: number, row: number, tile: number): KeptTile | null {
    for (let up = level; up <= kMostLevel; up++) {
      const kept = this.kept.get(keyOf(up, lane, row, Math.floor(tile / 2 ** (up - level))));
      if (kept !== undefined) return kept;
    }
    return null;
  }

  /** False where not all of it is there. */
  private visitFiner(
    level: number,
    lane: number,
    row: number,
    tile: number,
    depth: number,
    take: (kept: KeptTile, from_ns: number, to_ns: number) => void,
  ): boolean {
    if (depth === 0 || level === 0) return false;
    const halves = [2 * tile, 2 * tile + 1].map((half) => this.kept.get(keyOf(level - 1, lane, row, half)));
    if (halves.every((half) => half !== undefined)) {
      for (const half of halves) {
        const half_ns = kTileUnits * 2 ** half.level;
        take(half, half.tile * half_ns, (half.tile + 1) * half_ns);
      }
      return true;
    }
    return false;
  }

  private addSpans(spans: Span[], scale: Scale, kept: KeptTile, from_ns: number, to_ns: number): void {
    const { row, level, tile } = kept;
    const unit_ns = 2 ** level;
    const start_ns = tile * kTileUnits * unit_ns;
    const limit_from = Math.max(from_ns, scale.range.from);
    const limit_to = Math.min(to_ns, scale.range.to);
    const origin = columnOf(scale, 0);
    const pixel_ns = nsOfPixel(scale);
    let event = row.first;
    for (let i = 0; i < row.start.length; i++) {
      const count = row.events[i]!;
      const begin = start_ns + row.start[i]! * unit_ns;
      if (begin >= limit_to) break;
      const end = begin + row.width[i]! * unit_ns;
      const index = event;
      event += count;
      if (end <= limit_from) continue;
      const x0 = Math.floor(Math.max(begin, from_ns) / pixel_ns) + origin;
      const x1 = Math.max(Math.floor(Math.min(end, to_ns) / pixel_ns) + origin, x0 + 1);
      const last = spans[spans.length - 1];
      // An event that goes on from the tile before, or from the same one's last part, is one span.
      if (last !== undefined && last.event === index && last.count === count) {
        last.x1 = Math.max(last.x1, x1);
        last.longest_ns = Math.max(last.longest_ns, end - begin);
        continue;
      }
      const name = row.name[i]!;
      const share = row.share[i]! / 255;
      spans.push({
        x0: last === undefined ? x0 : Math.max(x0, Math.min(last.x1, x1 - 1)),
        x1,
        event: index,
        count,
        busy: row.busy[i]! / 255,
        name,
        share,
        family: share >= 0.5 ? this.families.ofName(name) : -1,
        longest_ns: count === 1 ? end - begin : longestOf(row.longest[i]!),
      });
    }
  }
}

/** The least that a bucket of the longest event stands for. */
function longestOf(bucket: number): number {
  return bucket === 0 ? 0 : Math.round(2 ** ((bucket - 1) / 4));
}

function keyOf(level: number, lane: number, row: number, tile: number): string {
  return `${level} ${lane} ${row} ${tile}`;
}
