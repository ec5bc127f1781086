// Result: a value, or the problem that stands in its place. Problems are what users can cause or mend; they are shown.

export interface Problem {
  /**
   * The server's kind ("not_found", "bad_input", …), or one of the page's own: "offline", "denied", "aborted",
   * "protocol".
   */
  kind: string;
  message: string;
  /** The subject of the problem: a file and offset, a path. */
  where?: string;
}

export type Result<T> = { ok: true; value: T } | { ok: false; error: Problem };

export function succeed<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(kind: string, message: string, where?: string): { ok: false; error: Problem } {
  return { ok: false, error: where === undefined ? { kind, message } : { kind, message, where } };
}
