// Fetches the tiles that the screen lacks: of a small profile all there are, at once; else one request a viewport, with
// half a screen of room on each side, once the view has come to rest for a moment. What is asked for and no longer
// looked at is given up.
import type { Api } from "../../../lib/api";
import { pickOf } from "../../../lib/timeline/event-search";
import type { Problem } from "../../../lib/result";
import type { TileCache } from "../../../lib/timeline/tile-cache";
import { readTiles, readWholeTiles, type Tiles, type WholeTiles } from "../../../lib/timeline/tile-codec";
import { levelOf, tilesOf } from "../../../lib/timeline/tile-store";
import type { View } from "../../../lib/timeline/source";

/** A view that comes after a pause is asked for at once; while it keeps moving, once it rests. */
const kRest_ms = 40;
const kPause_ms = 150;
/** Limits of one request (server/http/API.md). */
const kMostTiles = 64;
const kMostRows = 4096;
const kMostCounters = 256;

interface TileFetcherOptions {
  api: Api;
  /** From what follows "/api/v1/tiles/KEY". */
  pathOf: (query: string) => string;
  cache: TileCache;
  /** Tiles are in the cache. */
  onTiles: (tiles: Tiles) => void;
  /** Whether all of it comes at once. */
  isSmall: boolean;
  onWhole: (tiles: WholeTiles) => void;
  onProblem: (problem: Problem) => void;
}

export function createTileFetcher({
  api,
  pathOf,
  cache,
  onTiles,
  isSmall,
  onWhole,
  onProblem,
}: TileFetcherOptions): (view: View) => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lookedAt_ms = -Infinity;
  let asked: { query: string; abort: AbortController } | null = null;

  async function fetchTiles(query: string, pick: string): Promise<void> {
    const abort = new AbortController();
    asked = { query, abort };
    const answer = await api.getBytes(pathOf(query), abort.signal);
    if (asked.abort !== abort) return;
    asked = null;
    if (!answer.ok) return onProblem(answer.error);
    try {
      take(answer.value, pick);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      onProblem({ kind: "protocol", message: `The tiles cannot be read: ${error.message}` });
    }
  }

  function take(answer: ArrayBuffer, pick: string): void {
    if (isSmall) {
      const whole = readWholeTiles(answer, pick !== "");
      cache.addWhole(whole.levels, pick);
      return onWhole(whole);
    }
    const tiles = readTiles(answer, pick !== "");
    cache.add(tiles, pick);
    onTiles(tiles);
  }

  return (view) => {
    const query = isSmall ? composeWholeQuery(cache, view) : composeQuery(cache, view);
    const isAfterPause = performance.now() - lookedAt_ms > kPause_ms;
    lookedAt_ms = performance.now();
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (query === null || query === asked?.query) return;
    timer = setTimeout(
      () => {
        timer = null;
        asked?.abort.abort();
        void fetchTiles(query, query === kWholeWithoutPick ? "" : pickOf(view.find));
      },
      isAfterPause ? 0 : kRest_ms,
    );
  };
}

/** The end of the path, after KEY/, for all of a small profile. */
const kWholeWithoutPick = "/all?";

/** The profile first, then the ticks of a search; null where both are there. */
export function composeWholeQuery({ whole }: Pick<TileCache, "whole">, { find }: Pick<View, "find">): string | null {
  const pick = pickOf(find);
  if (whole === null) return kWholeWithoutPick;
  return pick === "" || pick === whole ? null : `${kWholeWithoutPick}pick=${encodeURIComponent(pick)}`;
}

/** The query for the tiles that this view lacks; null where everything is there. */
export function composeQuery(cache: TileCache, { scale, rows, counters, find }: View): string | null {
  const level = levelOf(scale);
  const pick = pickOf(find);
  const isMissing = (lane: number, row: number, tile: number) => !cache.has(level, lane, row, tile, pick);
  const { from, to } = scale.range;
  // Only what is on screen makes a request; it then brings what is beside it too.
  const [firstSeen, lastSeen] = tilesOf(level, from, to);
  const half = (to - from) / 2;
  const [first, last] = tilesOf(level, from - half, to + half);
  const lanes: string[] = [];
  let rowCount = 0;
  for (const { lane, from: fromRow, to: toRow } of rows) {
    let missing: [number, number] | null = null;
    for (let row = fromRow; row < toRow; row++) {
      let lacks = false;
      for (let tile = firstSeen; tile <= lastSeen && !lacks; tile++) lacks = isMissing(lane, row, tile);
      if (lacks) missing = [missing?.[0] ?? row, row];
    }
    if (missing === null || rowCount >= kMostRows) continue;
    rowCount += missing[1] - missing[0] + 1;
    lanes.push(`${lane}:${missing[0]}-${missing[1]}`);
  }
  const lacking = counters.filter(({ lane, counter }) => {
    for (let tile = firstSeen; tile <= lastSeen; tile++) if (!cache.hasCounter(level, lane, counter, tile)) return true;
    return false;
  });
  if (lanes.length === 0 && lacking.length === 0) return null;
  const fields = [`?level=${level}`, `from=${first}`, `to=${Math.min(last, first + kMostTiles - 1)}`];
  fields.push(`rows=${lanes.join(",")}`);
  const wanted = lacking.slice(0, kMostCounters).map(({ lane, counter }) => `${lane}:${counter}`);
  if (wanted.length > 0) fields.push(`counters=${wanted.join(",")}`);
  if (pick !== "") fields.push(`pick=${encodeURIComponent(pick)}`);
  return fields.join("&");
}
