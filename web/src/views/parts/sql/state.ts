// The query that is on screen and its answer, whoever is asked. The query that was run last is in the URL, so that back
// goes to the one before; what is being typed is not until it is run.
import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Link } from "../../../lib/place";
import type { Problem } from "../../../lib/result";
import type { App } from "../../../state/app";
import type { WireRows, WireSchema } from "./wire";

/** Who is asked. */
export interface SqlSource<Answer extends WireRows> {
  /** The key of the URL that has the query. */
  key: string;
  /** The link that a query is run by; its key is added. */
  link: () => Link;
  /** Whether the answer is on screen; no query runs while it is not. */
  isShown: ReadonlySignal<boolean>;
  /** Paths of the tables and questions, and of answers without the query; null while there is nobody to ask. */
  schemaPath: ReadonlySignal<string | null>;
  path: ReadonlySignal<string | null>;
  /** Of what is asked: where it becomes another, the same query is asked again. */
  mark: ReadonlySignal<string>;
  /** What stands in the editor before anything was asked. */
  firstQuery: () => string;
  /** Where a row leads; null: nowhere. */
  wayOf: (answer: Answer, row: number) => Way | null;
  /** Asked in vain until it answers again, once a query was cut off; then the query is asked once more. */
  lifeSign?: string;
}

export interface Way {
  /** What it leads to, after "Go to". */
  to: string;
  go: () => void;
}

export interface SqlState {
  schema: ReadonlySignal<WireSchema | null>;
  /** What is in the editor. */
  text: Signal<string>;
  /** What was run last; null: nothing yet. */
  query: ReadonlySignal<string | null>;
  isRunning: ReadonlySignal<boolean>;
  answer: ReadonlySignal<WireRows | null>;
  problem: ReadonlySignal<Problem | null>;
  /** What becomes of the query by itself after the problem. */
  outlook: ReadonlySignal<Outlook>;
  limit: ReadonlySignal<number>;
  run(text?: string): void;
  cancel(): void;
  /** Asks for ten times as many rows. */
  showMore(): void;
  /** The whole result as text. */
  fetchText(format: TextFormat): Promise<string | null>;
  wayOf(row: number): Way | null;
}

export type TextFormat = "csv" | "tsv" | "json";
/** asksAgain: when there is somebody again; gaveUp: that was done, and cut off too. */
export type Outlook = "none" | "asksAgain" | "gaveUp";

const kFirstRows = 1000;
export const kMostRows = 100_000;
const kLifeSign_ms = 3000;

export function createSql<Answer extends WireRows>(app: App, source: SqlSource<Answer>): SqlState {
  const { api, place, notices } = app;
  const key = place.key(source.key);
  const query = computed(() => key.value ?? null);
  const text = signal(query.peek() ?? "");
  const schema = signal<WireSchema | null>(null);
  const answer = signal<Answer | null>(null);
  const problem = signal<Problem | null>(null);
  const outlook = signal<Outlook>("none");
  const isRunning = signal(false);
  const limit = signal(kFirstRows);
  // Counts the times that the query is to be run again though nothing else changed.
  const again = signal(0);
  let running: AbortController | null = null;
  let wasAskedAgain = false;

  effect(() => {
    const path = source.schemaPath.value;
    if (path === null || !source.isShown.value) return;
    const abort = new AbortController();
    void api.getJson<WireSchema>(path, abort.signal).then((found) => {
      if (found.ok) schema.value = found.value;
    });
    return () => abort.abort();
  });

  const pathOf = (path: string, asked: string, more: string) =>
    `${path}${path.includes("?") ? "&" : "?"}q=${encodeURIComponent(asked)}${more}`;

  // Shows the query of the URL in the editor when that changes, and runs it.
  effect(() => {
    if (query.value !== null) text.value = query.value;
    else if (source.path.value !== null && text.peek() === "") text.value = source.firstQuery();
  });
  effect(() => {
    const asked = query.value;
    const path = source.path.value;
    const wanted = asked === null || path === null ? null : pathOf(path, asked, `&limit=${limit.value}`);
    source.mark.value;
    again.value;
    problem.value = null;
    outlook.value = "none";
    if (wanted === null) answer.value = null;
    if (wanted === null || !source.isShown.value) return;
    const abort = new AbortController();
    running = abort;
    isRunning.value = true;
    void api.getJson<Answer>(wanted, abort.signal).then((found) => {
      if (running !== abort) return;
      running = null;
      isRunning.value = false;
      if (found.ok) {
        answer.value = found.value;
        wasAskedAgain = false;
      } else if (found.error.kind !== "aborted") fail(found.error, abort.signal);
    });
    return () => abort.abort();
  });

  function fail(error: Problem, given_up: AbortSignal): void {
    answer.value = null;
    problem.value = error;
    if (source.lifeSign === undefined || (error.kind !== "busy" && error.kind !== "offline")) return;
    outlook.value = wasAskedAgain ? "gaveUp" : "asksAgain";
    if (!wasAskedAgain) void askWhenBack(source.lifeSign, given_up);
  }

  // Once alone: a query that brings the store down is not to do so for ever.
  async function askWhenBack(lifeSign: string, given_up: AbortSignal): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, kLifeSign_ms));
      if (given_up.aborted) return;
      const found = await api.getJson<unknown>(lifeSign, given_up);
      if (given_up.aborted) return;
      if (found.ok) break;
    }
    wasAskedAgain = true;
    again.value++;
  }

  return {
    schema,
    text,
    query,
    isRunning,
    answer,
    problem,
    outlook,
    limit,
    run(next = text.peek()) {
      wasAskedAgain = false;
      limit.value = kFirstRows;
      text.value = next;
      const { view, keys } = source.link();
      if (next === query.peek()) again.value++;
      else place.follow({ view, keys: { ...keys, [source.key]: next } });
    },
    cancel() {
      running?.abort();
      running = null;
      isRunning.value = false;
    },
    showMore: () => (limit.value = Math.min(limit.peek() * 10, kMostRows)),
    async fetchText(format) {
      const [path, asked] = [source.path.peek(), query.peek()];
      if (path === null || asked === null) return null;
      const found = await api.getText(pathOf(path, asked, `&format=${format}`));
      if (found.ok) return found.value;
      notices.show("sql", found.error);
      return null;
    },
    wayOf: (row) => (answer.value === null ? null : source.wayOf(answer.value, row)),
  };
}
