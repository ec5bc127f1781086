// The places of the rewrites that the palette offers: contexts and their passes. Those of the graph on screen are
// nearest, and passes with matches are nearer than those in which nothing happened.
import { stripAnsi } from "../../lib/ansi";
import { formatPlural } from "../../lib/text";
import type { App } from "../../state/app";
import type { PaletteEntry } from "../view";

export function listPlaces({ session, chosen }: App): PaletteEntry[] {
  const contexts = session.contexts.value;
  if (contexts === null) return [];
  const here = chosen.context.value;
  return contexts.contexts.flatMap(({ name, passes }, c) => [
    { title: name, detail: "context", run: () => chosen.goToPass(c, 0) },
    ...passes.name.map((nameIndex, p) => ({
      title: `${name} › ${contexts.pass_names[nameIndex] ?? ""}`,
      detail: formatPlural(passes.matches[p]!, "match", "matches"),
      nearness: (c === here ? 2 : 0) + (passes.matches[p]! > 0 ? 1 : 0),
      run: () => chosen.goToPass(c, p),
    })),
  ]);
}

/** "match 12 · r_32 › devectorize". */
export function sayWhere({ session, chosen, place }: App): string {
  const contexts = session.contexts.value;
  const context = contexts?.contexts[chosen.context.value ?? -1];
  if (contexts === null || context === undefined) return "";
  const pass = contexts.pass_names[context.passes.name[chosen.pass.value ?? -1] ?? -1];
  const match = place.key("match").value;
  const state = match === undefined || match === "0" ? "" : `match ${match} · `;
  return stripAnsi(`${state}${context.name}${pass === undefined ? "" : ` › ${pass}`}`);
}
