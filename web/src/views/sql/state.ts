// The query that is on screen and its answer. The query that was run last is in the URL, so that back goes to the one
// before; what is being typed is not until it is run.
import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import type { Problem } from "../../lib/result";
import type { App } from "../../state/app";
import type { WireAnswer, WireSchema } from "./wire";

export interface SqlState {
  schema: ReadonlySignal<WireSchema | null>;
  /** What is in the editor. */
  text: Signal<string>;
  /** What was run last; null: nothing yet. */
  query: ReadonlySignal<string | null>;
  isRunning: ReadonlySignal<boolean>;
  answer: ReadonlySignal<WireAnswer | null>;
  problem: ReadonlySignal<Problem | null>;
  limit: ReadonlySignal<number>;
  run(text?: string): void;
  cancel(): void;
  /** Asks for ten times as many rows. */
  showMore(): void;
  /** The whole result as text. */
  fetchText(format: TextFormat): Promise<string | null>;
}

export type TextFormat = "csv" | "tsv" | "json";

const kFirstRows = 1000;
export const kMostRows = 100_000;
const kFirstQuery =
  "SELECT name, count(*) AS slices, sum(dur) AS total_ns\nFROM slice\nGROUP BY name\nORDER BY total_ns DESC\nLIMIT 50";

export function createSql(app: App): SqlState {
  const { api, session, place, notices } = app;
  const key = place.key("sql");
  const query = computed(() => key.value ?? null);
  const text = signal(query.peek() ?? kFirstQuery);
  const schema = signal<WireSchema | null>(null);
  const answer = signal<WireAnswer | null>(null);
  const problem = signal<Problem | null>(null);
  const isRunning = signal(false);
  const limit = signal(kFirstRows);
  // Counts the times that the query is to be run again though nothing else changed.
  const again = signal(0);
  let running: AbortController | null = null;

  void api.getJson<WireSchema>("/api/v1/sql/schema").then((found) => {
    if (found.ok) schema.value = found.value;
  });

  const pathOf = (asked: string, captureId: string, more: string) =>
    pathOfCapture(`/api/v1/sql?q=${encodeURIComponent(asked)}${more}`, captureId);

  // Shows the query of the URL in the editor when that changes, and runs it.
  effect(() => {
    if (query.value !== null) text.value = query.value;
  });
  const captureMark = computed(() => {
    const capture = session.capture.value;
    return capture === null ? null : `${capture.revision} ${capture.id}`;
  });
  effect(() => {
    const asked = query.value;
    const mark = captureMark.value;
    const path =
      asked === null || mark === null
        ? null
        : pathOf(asked, mark.slice(mark.indexOf(" ") + 1), `&limit=${limit.value}`);
    again.value;
    problem.value = null;
    if (path === null || place.view.value !== "sql") return;
    const abort = new AbortController();
    running = abort;
    isRunning.value = true;
    void api.getJson<WireAnswer>(path, abort.signal).then((found) => {
      if (running !== abort) return;
      running = null;
      isRunning.value = false;
      if (found.ok) answer.value = found.value;
      else if (found.error.kind !== "aborted") {
        answer.value = null;
        problem.value = found.error;
      }
    });
    return () => abort.abort();
  });

  return {
    schema,
    text,
    query,
    isRunning,
    answer,
    problem,
    limit,
    run(next = text.peek()) {
      limit.value = kFirstRows;
      text.value = next;
      if (next === query.peek()) again.value++;
      else place.follow({ view: "sql", keys: { sql: next } });
    },
    cancel() {
      running?.abort();
      running = null;
      isRunning.value = false;
    },
    showMore: () => (limit.value = Math.min(limit.peek() * 10, kMostRows)),
    async fetchText(format) {
      const capture = session.capture.peek();
      const asked = query.peek();
      if (capture === null || asked === null) return null;
      const found = await api.getText(pathOf(asked, capture.id, `&format=${format}`));
      if (found.ok) return found.value;
      notices.show("sql", found.error);
      return null;
    },
  };
}
