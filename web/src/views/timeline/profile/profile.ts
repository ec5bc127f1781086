// Fetches the timeline of the capture on screen, and of those that lie beside it, once somebody wants it and again
// after each reload; the old one stays meanwhile. While the capture is being read for the first time, tells how far
// that is, and shows as much of a large one as there is.
import { computed, effect, signal, untracked, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Api } from "../../../lib/api";
import type { Problem } from "../../../lib/result";
import { shiftOf, type Beside } from "../../../lib/timeline/beside";
import type { Part } from "../../../lib/timeline/side-by-side/parts";
import { layParts } from "../../../lib/timeline/side-by-side/side-by-side";
import type { TimelineSource } from "../../../lib/timeline/source";
import { fetchLanes, type Opening } from "../../../state/opening";
import type { SessionState } from "../../../state/session";
import { createReplayLanes } from "./replay-lanes";
import { createTimelineSource } from "./source";

export interface ProfileTaker {
  /** The capture on screen is another one. */
  clear(): void;
  wait(opening: Opening): void;
  fail(problem: Problem): void;
  take(source: TimelineSource): void;
}

/** Whether a place names the thread trace of a run. */
const isTrace = (trace: string | undefined): trace is string => /^s?\d{1,6}(\.\d{1,6})?$/.test(trace ?? "");

/** The capture, or the trace, with those beside it, each in its reading; null where there is nothing to show. */
function nameSource(
  session: SessionState,
  beside: ReadonlySignal<readonly Beside[]>,
  trace: ReadonlySignal<string | undefined>,
): string | null {
  const capture = session.capture.value;
  if (!capture?.has_profile) return null;
  if (isTrace(trace.value)) return `${capture.id}~${trace.value} ${capture.revision}`;
  const others = beside.value.map(({ name, alignment }) => {
    const other = session.info.value?.captures.find((each) => each.name === name);
    return `${name} ${alignment} ${other?.id} ${other?.revision}`;
  });
  return [`${capture.id} ${capture.revision}`, ...others].join("|");
}

/** Set the signal returned to want it. trace: the run whose thread trace is wanted in the capture's place. */
export function fetchProfile(
  api: Api,
  session: SessionState,
  beside: ReadonlySignal<readonly Beside[]>,
  trace: ReadonlySignal<string | undefined>,
  taker: ProfileTaker,
): Signal<boolean> {
  const wanted = signal(false);
  /** By id and revision: shifting a capture does not fetch it again. */
  const kept = new Map<string, TimelineSource>();
  const replays = createReplayLanes(api, (problem) => taker.fail(problem));
  let shownCapture: string | null = null;
  let shownBeginning: string | null = null;
  const source = computed(() => (wanted.value ? nameSource(session, beside, trace) : null));

  async function fetchSource(id: string, abort: AbortSignal): Promise<void> {
    const main = await fetchWhole(id, abort, (opening, beginning) => {
      taker.wait(opening);
      if (beginning === null || beginning.key === shownBeginning) return;
      shownBeginning = beginning.key;
      taker.take(createTimelineSource(api, beginning, (error) => taker.fail(error)));
    });
    if (main === null) return;
    const captures = session.info.peek()?.captures ?? [];
    const parts: Part[] = [
      { name: captures.find((capture) => capture.id === id)?.name ?? "", source: main, shift_ns: 0 },
    ];
    for (const { name, alignment } of isTrace(trace.peek()) ? [] : beside.peek()) {
      const other = captures.find((capture) => capture.name === name && capture.has_profile && capture.id !== id);
      const source = other === undefined ? null : await fetchWhole(other.id, abort, () => {});
      if (abort.aborted) return;
      if (source !== null) parts.push({ name, source, shift_ns: shiftOf(source.clock, main.clock, alignment) });
    }
    const lay = () => (parts.length === 1 ? parts[0]!.source : layParts(parts));
    taker.take(lay());
    // The trace's own lanes are on screen; what its replays are of takes longer to find.
    await replays.addTo(parts, abort, () => taker.take(lay()));
  }

  /** Null where it is given up, or where there is a problem, which is told. */
  async function fetchWhole(
    id: string,
    abort: AbortSignal,
    onOpening: Parameters<typeof fetchLanes>[3],
  ): Promise<TimelineSource | null> {
    const [captureId] = id.split("~");
    const revision = session.info.peek()?.captures.find((capture) => capture.id === captureId)?.revision;
    const known = kept.get(`${id} ${revision}`);
    if (known !== undefined) return known;
    const answer = await fetchLanes(api, id, abort, onOpening);
    if (answer === null) return null;
    if (!answer.ok) {
      taker.fail(answer.error);
      return null;
    }
    const source = createTimelineSource(api, answer.value, (error) => taker.fail(error));
    for (const key of kept.keys()) if (key.startsWith(`${id} `)) kept.delete(key);
    kept.set(`${id} ${revision}`, source);
    if (id === captureId) replays.remember(source, id);
    return source;
  }

  effect(() => {
    if (source.value === null) return;
    const capture = untracked(() => session.capture.value!);
    const id = isTrace(trace.value) ? `${capture.id}~${trace.value}` : capture.id;
    if (shownCapture !== id) taker.clear();
    shownCapture = id;
    const abort = new AbortController();
    void untracked(() => fetchSource(id, abort.signal));
    return () => abort.abort();
  });
  return wanted;
}
