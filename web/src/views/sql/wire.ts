// Where the server says that the rows of an answer lead (API.md: sql).
import type { WireRows } from "../parts/sql/wire";

type Named = [index: number, name: string];

export type WireLink = (
  | { slice: { lane: string; index: number; start_ns: number; dur_ns: number; name: string } }
  | { context: Named; pass?: Named; match?: number; node?: number }
  | { rule: [file: string, line: number] }
  | { program: Named }
  | { program_of: Named }
  | { time: [from_ns: number, to_ns: number] }
) & {
  /** Where several captures were asked: the id of the one that it leads into. */
  capture?: string;
};

export interface WireAnswer extends WireRows {
  /** By row. */
  links: (WireLink | null)[];
}
