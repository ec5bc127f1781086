// Rewrites that raised, over all contexts of a capture, in order.
import { formatCount } from "./text";
import type { WireContext, WireRewriteError } from "./wire";

export interface RewriteError extends WireRewriteError {
  context: number;
}

export function listErrors(contexts: readonly WireContext[]): RewriteError[] {
  return contexts.flatMap(({ errors = [] }, context) => errors.map((error) => ({ ...error, context })));
}

/** Where one is: a state of a pass of a context. */
export interface ErrorPlace {
  context: number | null;
  pass: number | null;
  match: number;
}

/** The one after the place, or the first: going on and on leads to each. */
export function nextError(errors: readonly RewriteError[], { context, pass, match }: ErrorPlace): RewriteError | null {
  const here = [context ?? -1, pass ?? -1, match];
  const isAfter = (error: RewriteError) => {
    const there = [error.context, error.pass, error.match];
    const at = there.findIndex((number, i) => number !== here[i]);
    return at >= 0 && there[at]! > here[at]!;
  };
  return errors.find(isAfter) ?? errors[0] ?? null;
}

/** The text of a mark: the first few messages, each with its match. */
export function describeErrors(errors: readonly WireRewriteError[]): string {
  const kSaid = 4;
  const lines = errors.slice(0, kSaid).map(({ match, message }) => `match ${match} raised: ${message}`);
  if (errors.length > kSaid) lines.push(`and ${formatCount(errors.length - kSaid)} more`);
  return lines.join("\n");
}
