// Colour families of events: the first word of an event's outermost event, as tinygrad's page has it, so that a kernel
// has one colour on every lane, and what belongs to a schedule its schedule's.

/** Numbers families by first appearance, over the lanes of a profile. */
export class FamilyTable {
  readonly names: string[] = [];
  private readonly index = new Map<string, number>();
  private readonly ofLabel = new Map<number, number>();

  constructor(private readonly plain: readonly string[]) {}

  /** One family an event; holder as of findHolders() (lib/timeline/lanes-rows.ts). */
  assign(holder: Int32Array, label: Uint32Array): Uint32Array {
    const family = new Uint32Array(label.length);
    holder.forEach((outer, i) => (family[i] = outer >= 0 ? family[outer]! : this.ofName(label[i]!)));
    return family;
  }

  /** The family of a name by itself. */
  ofName(label: number): number {
    const known = this.ofLabel.get(label);
    if (known !== undefined || this.plain[label] === undefined) return known ?? 0; // not there yet
    const name = nameFamily(this.plain[label] ?? "");
    let family = this.index.get(name);
    if (family === undefined) {
      family = this.names.length;
      this.names.push(name);
      this.index.set(name, family);
    }
    this.ofLabel.set(label, family);
    return family;
  }
}

/** The first word, without the number that tells kernels of one shape apart (E_4_4n1 is of the family E_4_4). */
export function nameFamily(plainName: string): string {
  const word = plainName.trim().split(/\s/, 1)[0] ?? "";
  return word.replace(/(?<=\d)n\d+$/, "");
}
