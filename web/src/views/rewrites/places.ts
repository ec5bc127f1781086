// The places of the rewrites that the palette offers: contexts and their passes.
import { stripAnsi } from "../../lib/ansi";
import type { App } from "../../state/app";
import type { PaletteEntry } from "../view";

export function listPlaces({ session, chosen }: App): PaletteEntry[] {
  const contexts = session.contexts.value;
  if (contexts === null) return [];
  return contexts.contexts.flatMap(({ name, passes }, c) => [
    { title: name, detail: "context", run: () => chosen.goToPass(c, 0) },
    ...passes.name.map((nameIndex, p) => ({
      title: `${name} › ${contexts.pass_names[nameIndex] ?? ""}`,
      detail: `${passes.matches[p]} matches`,
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
