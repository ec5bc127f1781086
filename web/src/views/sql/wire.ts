// What the server says of SQL (API.md: sql, sql/schema).

export interface WireSchema {
  /** In the order that people are shown them. */
  tables: { name: string; about: string; columns: { name: string; about: string }[] }[];
  functions: { call: string; about: string }[];
  examples: { question: string; query: string }[];
}

/** A whole number that a double cannot hold comes as its digits, in an array. */
export type WireValue = number | string | null | [string];

type Named = [index: number, name: string];

/** Where a row leads. */
export type WireLink =
  | { slice: { lane: string; index: number; start_ns: number; dur_ns: number; name: string } }
  | { context: Named; pass?: Named; match?: number; node?: number }
  | { rule: [file: string, line: number] }
  | { program: Named }
  | { program_of: Named }
  | { time: [from_ns: number, to_ns: number] };

export interface WireAnswer {
  columns: string[];
  rows: WireValue[][];
  /** By row. */
  links: (WireLink | null)[];
  /** False: there are more rows. */
  whole: boolean;
  took_us: number;
}
