// Columns of numbers that grow, and the grouping of records by a key: what a pass's lives are kept in.

/** 32-bit integers that grow at the end. `data` may be longer than `length`, and moves as the column grows. */
export class Int32Column {
  data = new Int32Array(256);
  length = 0;

  push(value: number): void {
    this.#makeRoom(1);
    this.data[this.length++] = value;
  }

  append(values: readonly number[]): void {
    this.#makeRoom(values.length);
    this.data.set(values, this.length);
    this.length += values.length;
  }

  #makeRoom(count: number): void {
    if (this.length + count <= this.data.length) return;
    const grown = new Int32Array(Math.max(this.data.length * 2, this.length + count));
    grown.set(this.data);
    this.data = grown;
  }

  at(i: number): number {
    return this.data[i]!;
  }

  view(): Int32Array {
    return this.data.subarray(0, this.length);
  }
}

/** Records by key: those of key k are items[starts[k]] up to items[starts[k + 1]], in their own order. */
export interface Grouping {
  starts: Int32Array;
  items: Int32Array;
}

/**
 * Groups records 0, 1, … by keys 0 up to keyCount; records with a key outside of that are left out. O(records + keys).
 */
export function groupBy(keys: Int32Array, keyCount: number): Grouping {
  const starts = new Int32Array(keyCount + 1);
  for (let record = 0; record < keys.length; record++) {
    const key = keys[record]!;
    if (key >= 0 && key < keyCount) starts[key + 1]!++;
  }
  for (let k = 0; k < keyCount; k++) starts[k + 1]! += starts[k]!;
  const items = new Int32Array(starts[keyCount]!);
  const next = starts.slice();
  for (let record = 0; record < keys.length; record++) {
    const key = keys[record]!;
    if (key >= 0 && key < keyCount) items[next[key]!++] = record;
  }
  return { starts, items };
}

/** The records of one key. */
export function groupOf(grouping: Grouping, key: number): Int32Array {
  if (key < 0 || key + 1 >= grouping.starts.length) return kNone;
  return grouping.items.subarray(grouping.starts[key]!, grouping.starts[key + 1]!);
}

const kNone = new Int32Array(0);
