// Tiles of one kind that have come, and which of them stand for a range of time at a zoom: those of its own level where
// they are there, else the finest one above them, stretched, else those below. Tiles never change; the oldest go where
// there are too many.
import { nsOfPixel, type Scale } from "./spans";
import { kColumnUnits, kTileUnits } from "./tile-codec";

const kMostLevel = 50;

export interface KeptTile<T> {
  level: number;
  tile: number;
  /** As long as the profile, whatever its level. */
  isWhole: boolean;
  value: T;
}

/** Takes a tile, and the part of the time that it stands for. */
export type Take<T> = (kept: KeptTile<T>, from_ns: number, to_ns: number) => void;

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

/** The tiles of one kind of a lane's parts: of its rows, or of its counters. */
export class TileStore<T> {
  private readonly kept = new Map<string, KeptTile<T>>();
  /** Tiles as long as the profile, by lane and place, the finest first. */
  private readonly whole = new Map<string, KeptTile<T>[]>();

  constructor(private readonly most: number) {}

  /**
   * A tile as long as the profile. Those of finer levels come first; it stands for levels above it too, and the finest
   * for those below.
   */
  addWhole(level: number, lane: number, place: number, value: T): void {
    const key = `${lane} ${place}`;
    const finer = (this.whole.get(key) ?? []).filter((kept) => kept.level < level);
    this.whole.set(key, [...finer, { level, tile: 0, isWhole: true, value }]);
  }

  /** The finest of the tiles as long as the profile. */
  getWhole(lane: number, place: number): T | undefined {
    return this.whole.get(`${lane} ${place}`)?.[0]?.value;
  }

  add(level: number, lane: number, place: number, tile: number, value: T): void {
    const key = keyOf(level, lane, place, tile);
    this.kept.delete(key); // so that it counts as new
    this.kept.set(key, { level, tile, isWhole: false, value });
  }

  /** Lets the oldest go where there are too many. */
  trim(): void {
    for (const key of this.kept.keys()) {
      if (this.kept.size <= this.most) break;
      this.kept.delete(key);
    }
  }

  get(level: number, lane: number, place: number, tile: number): T | undefined {
    return this.kept.get(keyOf(level, lane, place, tile))?.value;
  }

  /** Calls `take` for the best tiles there are, by time. */
  visit(scale: Scale, lane: number, place: number, take: Take<T>): void {
    const level = levelOf(scale);
    const all = this.whole.get(`${lane} ${place}`);
    const whole = all?.findLast((kept) => kept.level <= level) ?? all?.[0];
    if (whole !== undefined) return take(whole, 0, Infinity);
    const [first, last] = tilesOf(level, scale.range.from, scale.range.to);
    const tile_ns = kTileUnits * 2 ** level;
    for (let tile = first; tile <= last; tile++) {
      const coarser = this.findCoarser(level, lane, place, tile);
      const isExact = coarser?.level === level;
      if (!isExact && this.visitFiner(level, lane, place, tile, take)) continue;
      // As far as this tile reaches: the next one asks for itself, and may find a finer one.
      if (coarser !== null) take(coarser, tile * tile_ns, (tile + 1) * tile_ns);
    }
  }

  /** The tile itself, or the next above it that is there. */
  private findCoarser(level: number, lane: number, place: number, tile: number): KeptTile<T> | null {
    for (let up = level; up <= kMostLevel; up++) {
      const kept = this.kept.get(keyOf(up, lane, place, Math.floor(tile / 2 ** (up - level))));
      if (kept !== undefined) return kept;
    }
    return null;
  }

  /** The two tiles below one. False where not both are there. */
  private visitFiner(level: number, lane: number, place: number, tile: number, take: Take<T>): boolean {
    if (level === 0) return false;
    const halves = [2 * tile, 2 * tile + 1].map((half) => this.kept.get(keyOf(level - 1, lane, place, half)));
    if (!halves.every((half) => half !== undefined)) return false;
    for (const half of halves) {
      const half_ns = kTileUnits * 2 ** half.level;
      take(half, half.tile * half_ns, (half.tile + 1) * half_ns);
    }
    return true;
  }
}

function keyOf(level: number, lane: number, place: number, tile: number): string {
  return `${level} ${lane} ${place} ${tile}`;
}
