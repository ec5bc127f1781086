// The server's answers about SQL (API.md: sql, sql/schema, fleet/sql, fleet/schema).

export interface WireSchema {
  /** In the order that people are shown them. */
  tables: { name: string; about: string; columns: { name: string; about: string }[] }[];
  functions: { call: string; about: string }[];
  examples: { question: string; query: string }[];
}

/** A whole number that a double cannot hold comes as its digits, in an array; a store has arrays of values, too. */
export type WireValue = number | string | null | WireValue[];

export interface WireRows {
  columns: string[];
  rows: WireValue[][];
  /** False: there are more rows. */
  whole: boolean;
  /** The tables that were read although nothing of them is recorded; left out for a store. */
  unrecorded?: string[];
  took_us: number;
}
