// Colour families of events: the first word of an event's outermost event, as tinygrad's page has it, so that a kernel
// has one colour on every lane, and what belongs to a schedule its schedule's.

/** Rows above an event that are asked for what holds it; only events that overlap without nesting leave any out. */
const kFamilyReach = 64;

/** Numbers families by first appearance, over the lanes of a profile. */
export class FamilyTable {
  readonly names: string[] = [];
  private readonly index = new Map<string, number>();
  private readonly ofLabel = new Map<number, number>();

  constructor(private readonly plain: readonly string[]) {}

  /** One family an event. Events come by start, the outer before the inner. */
  assign(start: Float64Array, dur: Float64Array, row: Uint32Array, label: Uint32Array, rows: number): Uint32Array {
    const family = new Uint32Array(start.length);
    const last = new Int32Array(rows).fill(-1);
    for (let i = 0; i < start.length; i++) {
      const end = start[i]! + dur[i]!;
      // The nearest row above whose event holds this one; its family is that of their outermost.
      const highest = Math.max(row[i]! - kFamilyReach, 0);
      let above = row[i]! - 1;
      while (above >= highest && !(last[above]! >= 0 && start[last[above]!]! + dur[last[above]!]! >= end)) above--;
      family[i] = above >= highest ? family[last[above]!]! : this.familyOfLabel(label[i]!);
      last[row[i]!] = i;
    }
    return family;
  }

  private familyOfLabel(label: number): number {
    const known = this.ofLabel.get(label);
    if (known !== undefined) return known;
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
