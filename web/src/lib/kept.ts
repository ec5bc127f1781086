// The few things looked at last, by key: what was on screen a moment ago comes back without asking again.

export class Kept<V> {
  readonly #limit: number;
  readonly #values = new Map<string, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value, which now counts as looked at last. */
  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.put(key, value);
    return value;
  }

  put(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#limit) break;
      this.#values.delete(oldest);
    }
  }
}
