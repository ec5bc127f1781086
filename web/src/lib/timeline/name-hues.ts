// Colours of events follow from their names alone: the same name has the same hue in every lane, view and capture.

/** This many can be told apart by hue and strength. */
const kHues = 36;

/** The hue of a name, without colours: 0 to 35. FNV-1a. */
export function hueOfName(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return hash % kHues;
}

/** Names of one kind, such as the layers of a model, have one hue. */
export type KindOfName = (name: string) => string;

/** What a layer or module is without its number, of "DecoderLayer_3" as of "about piece 12". */
export const kindOfModule: KindOfName = (name) => name.replace(/^about /, "").replace(/\d+/g, "");

/** Hues by a name's number, worked out once each; 0 for names that are not there yet. */
export class NameHues {
  private readonly known = new Map<number, number>();

  constructor(
    private readonly plain: readonly (string | undefined)[],
    private readonly kindOf: KindOfName = (name) => name,
  ) {}

  of(name: number): number {
    let hue = this.known.get(name);
    const text = this.plain[name];
    if (hue === undefined && text !== undefined) this.known.set(name, (hue = hueOfName(this.kindOf(text))));
    return hue ?? 0;
  }
}
