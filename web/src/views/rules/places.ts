// The rules that the palette offers, each by its line of source.
import { linkToRule } from "../../lib/links";
import { nameOfPath } from "../../lib/text";
import type { App } from "../../state/app";
import type { PaletteEntry } from "../view";

/** Lines that passes are called at are no rules: they lead to the first pass of theirs. */
export function listPlaces({ session, chosen, place }: App): PaletteEntry[] {
  const contexts = session.contexts.value;
  if (contexts === null) return [];
  const passAt = new Map<number, readonly [context: number, pass: number]>();
  contexts.contexts.forEach(({ passes }, c) =>
    passes.location.forEach((location, p) => {
      if (!passAt.has(location)) passAt.set(location, [c, p]);
    }),
  );
  return contexts.locations.map((location, index) => {
    const [file, line, code] = location;
    const at = passAt.get(index);
    return {
      title: `${nameOfPath(file)}:${line}`,
      detail: at === undefined ? `rule ${code?.trim() ?? ""}` : "pass",
      run: () => (at === undefined ? place.follow(linkToRule(location)) : chosen.goToPass(...at)),
    };
  });
}
