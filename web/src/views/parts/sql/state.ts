// The query that is on screen and its answer, whoever is asked. The query that was run last is in the URL, so that back
// goes to the one before; a text in the editor gets there when it is run. A query that came with the URL alone is shown,
// and waits until somebody runs it.
import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { withParameter, type Api } from "../../../lib/api";
import type { Link } from "../../../lib/place";
import type { Problem } from "../../../lib/result";
import type { App } from "../../../state/app";
import { AskedQueries, tabStorage } from "./asked-queries";
import type { WireRows, WireSchema } from "./wire";

/** The tables that are asked, and how. */
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
  /** Marks the data that are asked: where it changes, the same query is asked again. */
  mark: ReadonlySignal<string>;
  /** The text in the editor before anything was asked. */
  firstQuery: () => string;
  /** Where a row leads; null: nowhere. */
  wayOf: (answer: Answer, row: number) => Way | null;
  /** The path to ask, after a query was cut off, until it answers again; then the query is asked once more. */
  lifeSign?: string;
}

export interface Way {
  /** The name of its goal, after "Go to". */
  to: string;
  go: () => void;
}

export interface SqlState {
  schema: ReadonlySignal<WireSchema | null>;
  /** The text in the editor. */
  text: Signal<string>;
  /** The query of the URL, which is the one that was run last, or waits to be; null: nothing yet. */
  query: ReadonlySignal<string | null>;
  /** Whether that query came with the URL and nobody has run it here. */
  isWaiting: ReadonlySignal<boolean>;
  isRunning: ReadonlySignal<boolean>;
  answer: ReadonlySignal<WireRows | null>;
  problem: ReadonlySignal<Problem | null>;
  /** How the query goes on by itself after the problem. */
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
  const schema = followSchema(api, source);
  const key = place.key(source.key);
  const query = computed(() => key.value ?? null);
  const text = signal(query.peek() ?? "");
  const limit = signal(kFirstRows);
  const asked = new AskedQueries(source.key, tabStorage());
  const isWaiting = computed(() => query.value !== null && !asked.has(query.value));
  const runnable = computed(() => (isWaiting.value ? null : query.value));
  // Shows the query of the URL in the editor when that changes.
  effect(() => {
    if (query.value !== null) text.value = query.value;
    else if (source.path.value !== null && text.peek() === "") text.value = source.firstQuery();
  });
  const runner = new QueryRunner(api, source, runnable, limit);
  runner.start();
  const { answer, problem, outlook, isRunning } = runner;
  return {
    schema,
    text,
    query,
    isWaiting,
    isRunning,
    answer,
    problem,
    outlook,
    limit,
    run(next = text.peek()) {
      limit.value = kFirstRows;
      text.value = next;
      const { view, keys } = source.link();
      const isSame = next === query.peek();
      runner.restart(isSame && !isWaiting.peek());
      asked.add(next);
      if (!isSame) place.follow({ view, keys: { ...keys, [source.key]: next } });
    },
    cancel: () => runner.cancel(),
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

const pathOf = (path: string, asked: string, more: string) => withParameter(path, "q", asked) + more;

function followSchema(
  api: Api,
  source: Pick<SqlSource<WireRows>, "schemaPath" | "isShown">,
): ReadonlySignal<WireSchema | null> {
  const schema = signal<WireSchema | null>(null);
  effect(() => {
    const path = source.schemaPath.value;
    if (path === null || !source.isShown.value) return;
    const abort = new AbortController();
    void api.getJson<WireSchema>(path, abort.signal).then((found) => {
      if (found.ok) schema.value = found.value;
    });
    return () => abort.abort();
  });
  return schema;
}

/** Runs the query that is to be run, and keeps its answer. */
class QueryRunner<Answer extends WireRows> {
  readonly answer = signal<Answer | null>(null);
  readonly problem = signal<Problem | null>(null);
  readonly outlook = signal<Outlook>("none");
  readonly isRunning = signal(false);
  /** Counts the times that the query is to be run again though nothing else changed. */
  private readonly again = signal(0);
  private running: AbortController | null = null;
  private wasAskedAgain = false;

  constructor(
    private readonly api: Api,
    private readonly source: SqlSource<Answer>,
    private readonly query: ReadonlySignal<string | null>,
    private readonly limit: ReadonlySignal<number>,
  ) {}

  /** From now on a query runs whenever it, or what it is asked of, changes. */
  start(): void {
    effect(() => {
      const asked = this.query.value;
      const path = this.source.path.value;
      const wanted = asked === null || path === null ? null : pathOf(path, asked, `&limit=${this.limit.value}`);
      this.source.mark.value;
      this.again.value;
      this.problem.value = null;
      this.outlook.value = "none";
      if (wanted === null) this.answer.value = null;
      if (wanted === null || !this.source.isShown.value) return;
      return this.run(wanted);
    });
  }

  /** Somebody wants a query run; isSame: it is the one that was run last. */
  restart(isSame: boolean): void {
    this.wasAskedAgain = false;
    if (isSame) this.again.value++;
  }

  cancel(): void {
    this.running?.abort();
    this.running = null;
    this.isRunning.value = false;
  }

  /** Returns what gives it up. */
  private run(path: string): () => void {
    const abort = new AbortController();
    this.running = abort;
    this.isRunning.value = true;
    void this.api.getJson<Answer>(path, abort.signal).then((found) => {
      if (this.running !== abort) return;
      this.running = null;
      this.isRunning.value = false;
      if (found.ok) {
        this.answer.value = found.value;
        this.wasAskedAgain = false;
      } else if (found.error.kind !== "aborted") this.fail(found.error, abort.signal);
    });
    return () => abort.abort();
  }

  private fail(error: Problem, givenUp: AbortSignal): void {
    const { lifeSign } = this.source;
    this.answer.value = null;
    this.problem.value = error;
    if (lifeSign === undefined || (error.kind !== "busy" && error.kind !== "offline")) return;
    this.outlook.value = this.wasAskedAgain ? "gaveUp" : "asksAgain";
    if (!this.wasAskedAgain) void this.askWhenBack(lifeSign, givenUp);
  }

  /** Only once: a query that brings the store down is not to do so for ever. */
  private async askWhenBack(lifeSign: string, givenUp: AbortSignal): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, kLifeSign_ms));
      if (givenUp.aborted) return;
      const found = await this.api.getJson<unknown>(lifeSign, givenUp);
      if (givenUp.aborted) return;
      if (found.ok) break;
    }
    this.wasAskedAgain = true;
    this.again.value++;
  }
}
