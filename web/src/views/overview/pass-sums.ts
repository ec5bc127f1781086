// The passes of a capture added up by name. Pure.
import type { WireContexts } from "../../lib/wire";

export interface PassSum {
  name: string;
  matches: number;
  contexts: number;
  /** Where it has the most. */
  most: { context: number; pass: number; matches: number };
}

/** By name, the most matches first; those that never matched are left out. */
export function sumPasses({ contexts, pass_names }: Pick<WireContexts, "contexts" | "pass_names">): PassSum[] {
  const sums = new Map<number, PassSum & { last: number }>();
  contexts.forEach(({ passes }, context) =>
    passes.name.forEach((name, pass) => {
      const matches = passes.matches[pass]!;
      if (matches === 0) return;
      const sum = sums.get(name) ?? {
        name: pass_names[name]!,
        matches: 0,
        contexts: 0,
        most: { context, pass, matches: 0 },
        last: -1,
      };
      sum.matches += matches;
      if (sum.last !== context) sum.contexts++;
      sum.last = context;
      if (matches > sum.most.matches) sum.most = { context, pass, matches };
      sums.set(name, sum);
    }),
  );
  return [...sums.values()].sort((a, b) => b.matches - a.matches);
}
