// What the palette can go to in the rewrites: contexts and their passes.
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
