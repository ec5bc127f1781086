// The queries that somebody ran in this tab, in sessionStorage: a reload and back run them again. Whoever makes a link
// chooses the query in it, and a query may cost a lot, so one that only came with the URL waits until it is run.
import { signal } from "@preact/signals";

/** The part of sessionStorage that is used. */
export type QueryStorage = Pick<Storage, "getItem" | "setItem">;

const kMost = 100;

export class AskedQueries {
  readonly #queries = signal<readonly string[]>([]);

  /** name: of the place that queries are asked in, for what is asked of one is not asked of another. */
  constructor(
    private readonly name: string,
    private readonly storage: QueryStorage | null,
  ) {
    this.#queries.value = this.#load();
  }

  /** Whether somebody ran it; reads a signal. The text itself is compared: a hash could be met on purpose. */
  has(query: string): boolean {
    return this.#queries.value.includes(query);
  }

  add(query: string): void {
    this.#queries.value = [query, ...this.#queries.peek().filter((one) => one !== query)].slice(0, kMost);
    try {
      this.storage?.setItem(`vizd.${this.name}.asked`, JSON.stringify(this.#queries.peek()));
    } catch {
      // Refused or full: after a reload it waits to be run again.
    }
  }

  #load(): string[] {
    try {
      const stored: unknown = JSON.parse(this.storage?.getItem(`vizd.${this.name}.asked`) ?? "[]");
      return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
    } catch {
      return [];
    }
  }
}

/** The tab's own, where the browser grants it. */
export function tabStorage(): QueryStorage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
