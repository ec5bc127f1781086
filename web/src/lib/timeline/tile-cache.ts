// The tiles that have come, and what can be drawn of them at a zoom: spans and ticks of rows, steps of counters.
import type { CounterStep } from "./counter";
import { kEventKinds } from "./events";
import type { NameHues } from "./name-hues";
import { addTick, columnOf, nsOfPixel, type Scale, type Span, type Tick } from "./spans";
import { kColumnUnits, kError, kTileUnits, type TileCounter, type TileRow, type Tiles } from "./tile-codec";
import { TileStore, type KeptTile, type Take } from "./tile-store";

const kMostTileRows = 60_000;
const kMostTileCounters = 10_000;

/** With the predicate whose ticks it has. */
interface FoundRow {
  row: TileRow;
  pick: string;
}

export class TileCache {
  private readonly rows = new TileStore<FoundRow>(kMostTileRows);
  private readonly counters = new TileStore<TileCounter>(kMostTileCounters);

  private wholePick = "";
  private coarser: readonly Tiles[] | null = null;

  constructor(private readonly hues: NameHues) {}

  add({ level, from, rows, counters }: Tiles, pick: string): void {
    for (const { lane, row, tiles } of rows)
      tiles.forEach((tile, i) => this.rows.add(level, lane, row, from + i, { row: tile, pick }));
    for (const { lane, counter, tiles } of counters)
      tiles.forEach((tile, i) => this.counters.add(level, lane, counter, from + i, tile));
    this.rows.trim();
    this.counters.trim();
  }

  /** All of a small profile. Where level 0 alone comes, for the ticks of a pick, the other levels stay. */
  addWhole(levels: readonly Tiles[], pick: string): void {
    this.wholePick = pick;
    if (pick === "") this.coarser = levels.slice(1);
    for (const { level, rows, counters } of [...levels.slice(0, 1), ...(this.coarser ?? [])]) {
      for (const { lane, row, tiles } of rows) this.rows.addWhole(level, lane, row, { row: tiles[0]!, pick });
      for (const { lane, counter, tiles } of counters) this.counters.addWhole(level, lane, counter, tiles[0]!);
    }
  }

  /** How much addWhole() has brought: null for nothing, else the pick that came last. */
  get whole(): string | null {
    return this.coarser === null ? null : this.wholePick;
  }

  has(level: number, lane: number, row: number, tile: number, pick: string): boolean {
    return this.rows.get(level, lane, row, tile)?.pick === pick;
  }

  hasCounter(level: number, lane: number, counter: number, tile: number): boolean {
    return this.counters.get(level, lane, counter, tile) !== undefined;
  }

  /** The spans to draw of a row, by time. */
  spansOf(scale: Scale, lane: number, row: number): Span[] {
    const spans: Span[] = [];
    this.rows.visit(scale, lane, row, (kept, from_ns, to_ns) => this.addSpans(spans, scale, kept, from_ns, to_ns));
    return spans;
  }

  ticksOf(scale: Scale, lane: number, row: number, pick: string): Tick[] {
    const ticks: Tick[] = [];
    const whole = this.rows.getWhole(lane, row); // which alone has ticks, of level 0
    const add: Take<FoundRow> = (kept, from_ns, to_ns) => {
      if (kept.value.pick !== pick) return;
      const unit_ns = 2 ** kept.level;
      const column_ns = kColumnUnits * unit_ns;
      const { ticks: columns, picked } = kept.value.row;
      for (const [i, column] of columns.entries()) {
        const at = (kept.tile * kTileUnits + column * kColumnUnits) * unit_ns;
        if (at + column_ns <= from_ns || at >= to_ns) continue;
        const x0 = columnOf(scale, at);
        const x1 = Math.max(columnOf(scale, at + column_ns), x0 + 2);
        addTick(ticks, { x0, x1, count: picked[i]! });
      }
    };
    if (whole === undefined) this.rows.visit(scale, lane, row, add);
    else add({ level: 0, tile: 0, isWhole: true, value: whole }, scale.range.from, scale.range.to);
    return ticks;
  }

  /** The steps of a counter in the view, by time: the first is the one that holds where the view begins. */
  stepsOf(scale: Scale, lane: number, counter: number): CounterStep[] {
    const steps: CounterStep[] = [];
    this.counters.visit(scale, lane, counter, (kept, from_ns, to_ns) => addSteps(steps, scale, kept, from_ns, to_ns));
    return steps;
  }

  private addSpans(spans: Span[], scale: Scale, kept: KeptTile<FoundRow>, from_ns: number, to_ns: number): void {
    const { level, tile } = kept;
    const { row } = kept.value;
    const unit_ns = 2 ** level;
    const start_ns = tile * kTileUnits * unit_ns;
    const limit_from = Math.max(from_ns, scale.range.from);
    const limit_to = Math.min(to_ns, scale.range.to);
    const origin = columnOf(scale, 0);
    const pixel_ns = nsOfPixel(scale);
    for (let i = firstEndingAfter(row, (limit_from - start_ns) / unit_ns); i < row.start.length; i++) {
      const count = row.events[i]!;
      const begin = start_ns + row.start[i]! * unit_ns;
      if (begin >= limit_to) break;
      const end = begin + row.width[i]! * unit_ns;
      if (end <= limit_from) continue;
      const x0 = Math.floor(Math.max(begin, from_ns) / pixel_ns) + origin;
      const x1 = Math.max(Math.floor(Math.min(end, to_ns) / pixel_ns) + origin, x0 + 1);
      const last = spans[spans.length - 1];
      // An event that goes on from the tile before, or from the same one's last part, is one span.
      if (last !== undefined && count === 1 && last.count === 1 && last.event === row.event[i]) {
        last.x1 = Math.max(last.x1, x1);
        continue;
      }
      const name = row.name[i]!;
      const share = row.share[i]! / 255;
      spans.push({
        x0: last === undefined ? x0 : Math.max(x0, Math.min(last.x1, x1 - 1)),
        x1,
        event: row.event[i]!,
        count,
        place: { level, tile: kept.isWhole ? "all" : tile, span: i },
        kind: kEventKinds[row.traits[i]! % kError] ?? "span",
        isError: row.traits[i]! >= kError,
        busy: row.busy[i]! / 255,
        name,
        share,
        hue: share >= 0.5 ? this.hues.of(name) : -1,
      });
    }
  }
}

/** Spans of a row come by time, and none overlaps another. */
function firstEndingAfter({ start, width }: TileRow, unit: number): number {
  let low = 0;
  let high = start.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (start[middle]! + width[middle]! <= unit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function addSteps(
  steps: CounterStep[],
  scale: Scale,
  { level, tile, value }: KeptTile<TileCounter>,
  from_ns: number,
  to_ns: number,
): void {
  const column_ns = kColumnUnits * 2 ** level;
  const limit_from = Math.max(from_ns, scale.range.from);
  const limit_to = Math.min(to_ns, scale.range.to);
  if (limit_from >= limit_to) return;
  let held: number | null = null;
  const addHeld = () => {
    if (held === null) return;
    const x = columnOf(scale, limit_from);
    steps.push({ x0: x, x1: x, min: held, max: held, last: held });
    held = null;
  };
  for (let i = 0; i < value.column.length; i++) {
    const at = tile * kTileUnits * 2 ** level + value.column[i]! * column_ns;
    if (at >= limit_to) break;
    if (at + column_ns <= limit_from) {
      held = value.last[i]!;
      continue;
    }
    addHeld();
    const x0 = columnOf(scale, Math.max(at, from_ns));
    const x1 = Math.max(columnOf(scale, Math.min(at + column_ns, to_ns)), x0 + 1);
    steps.push({ x0, x1, min: value.min[i]!, max: value.max[i]!, last: value.last[i]! });
  }
  addHeld();
}
