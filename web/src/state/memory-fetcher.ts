// Fetches views of the lanes' memory that are on screen: for each the one for the time and size now, with half a screen
// of room, once the view has come to rest; until that is there, the last one, or that of the whole profile, is
// stretched. A report has that of the whole alone.
import type { Api } from "../lib/api";
import type { MemoryOrder } from "../lib/timeline/memory-picture";
import { readMemoryPicture, type MemoryPicture } from "../lib/timeline/memory-picture";
import type { Problem } from "../lib/result";
import type { TimeRange } from "../lib/time";
import type { View } from "../lib/timeline/source";

const kRest_ms = 40;
const kMostPixels = 4096;

interface Kept {
  order: MemoryOrder;
  picture: MemoryPicture;
}

interface MemoryFetcherOptions {
  api: Api;
  pathOf: (lane: number, query: string) => string;
  /** A range of time as the order's own numbers, and where these end. */
  spanOf: (lane: number, range: TimeRange, order: MemoryOrder) => TimeRange;
  endOf: (lane: number, order: MemoryOrder) => number;
  onPicture: () => void;
  onProblem: (problem: Problem) => void;
}

export interface MemoryFetcher {
  look(view: Pick<View, "scale" | "memories" | "order">): void;
  /** Pictures of all of a lane's memory, exact at any zoom: nothing more is asked of it. */
  keepExact(lane: number, byTime: MemoryPicture, byOrder: MemoryPicture): void;
  pictureOf(lane: number, range: TimeRange, order: MemoryOrder): MemoryPicture | null;
}

export function createMemoryFetcher(options: MemoryFetcherOptions): MemoryFetcher {
  const { api, pathOf, spanOf, endOf, onPicture, onProblem } = options;
  const isReport = api.report !== undefined;
  const latest = new Map<number, Kept>();
  const whole = new Map<string, MemoryPicture>();
  const exact = new Map<number, Record<MemoryOrder, MemoryPicture>>();
  const asked = new Map<number, { query: string; abort: AbortController }>();
  let timer: ReturnType<typeof setTimeout> | null = null;

  async function fetchPicture(lane: number, order: MemoryOrder, wanted: Wanted): Promise<void> {
    if (asked.get(lane)?.query === wanted.query) return;
    asked.get(lane)?.abort.abort();
    const abort = new AbortController();
    asked.set(lane, { query: wanted.query, abort });
    const answer = await api.getBytes(pathOf(lane, wanted.query), abort.signal);
    if (abort.signal.aborted) return;
    asked.delete(lane);
    if (!answer.ok) return onProblem(answer.error);
    try {
      const picture = readMemoryPicture(answer.value, wanted.from, wanted.to);
      latest.set(lane, { order, picture });
      if (wanted.isWhole) whole.set(`${lane} ${order}`, picture);
      onPicture();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      onProblem({ kind: "protocol", message: `The view of memory cannot be read: ${error.message}` });
    }
  }

  return {
    look({ scale, memories, order }) {
      if (timer !== null) clearTimeout(timer);
      const lacking = memories.flatMap(({ lane, height_px }) => {
        if (exact.has(lane)) return [];
        const span = spanOf(lane, scale.range, order);
        const end = endOf(lane, order);
        const wanted = isReport ? composeWhole(end, order) : composeView(span, end, scale.width_px, height_px, order);
        const kept = latest.get(lane);
        if (isReport && kept?.order === order && kept.picture.to === wanted.to) return [];
        return kept?.order === order && isGoodFor(kept.picture, span, wanted) ? [] : [{ lane, wanted }];
      });
      if (lacking.length === 0) return;
      timer = setTimeout(() => {
        for (const { lane, wanted } of lacking) void fetchPicture(lane, order, wanted);
      }, kRest_ms);
    },
    keepExact: (lane, byTime, byOrder) => void exact.set(lane, { time: byTime, events: byOrder }),
    pictureOf(lane, range, order) {
      const known = exact.get(lane)?.[order];
      if (known !== undefined) return known;
      const kept = latest.get(lane);
      const { from, to } = spanOf(lane, range, order);
      const last = kept?.order === order ? kept.picture : null;
      const end = endOf(lane, order);
      if (last !== null && last.from <= Math.max(from, 0) && last.to >= Math.min(to, end)) return last;
      return whole.get(`${lane} ${order}`) ?? last;
    },
  };
}

interface Wanted {
  query: string;
  from: number;
  to: number;
  width: number;
  height: number;
  isWhole: boolean;
}

/** The span and half of it on each side, as far as there is any, in the screen's own pixels. */
function composeView(span: TimeRange, end: number, width_px: number, height_px: number, order: MemoryOrder): Wanted {
  const half = (span.to - span.from) / 2;
  const from = Math.floor(Math.max(span.from - half, 0));
  const to = Math.max(Math.ceil(Math.min(span.to + half, end)), from + 1);
  const perPixel = (span.to - span.from) / width_px;
  const width = Math.min(Math.max(Math.round((to - from) / perPixel), 1), kMostPixels);
  const height = Math.min(Math.max(Math.round(height_px), 1), kMostPixels);
  const axis = order === "events" ? "&axis=order" : "";
  const query = `from=${from}&to=${to}&width=${width}&height=${height}${axis}`;
  return { query, from, to, width, height, isWhole: from === 0 && to >= end };
}

/** In the pixels in which a report has it (server/http/report/profile_contents.cpp). */
function composeWhole(end: number, order: MemoryOrder): Wanted {
  const query = order === "events" ? "axis=order" : "";
  return { query, from: 0, to: Math.max(end, 1), width: 4096, height: 1024, isWhole: true };
}

/** Whether what is on screen lies in the picture, as large as it would be. */
function isGoodFor(picture: MemoryPicture, span: TimeRange, wanted: Wanted): boolean {
  const [has, wants] = [picture.width / (picture.to - picture.from), wanted.width / (wanted.to - wanted.from)];
  return (
    picture.height === wanted.height &&
    Math.abs(has / wants - 1) < 0.02 &&
    picture.from <= Math.max(span.from, wanted.from) &&
    picture.to >= Math.min(span.to, wanted.to)
  );
}
