// Numbers that a capture has on ops, of the nodes of one state, and the memories that their values lie in: to be read,
// and to colour the graph by.
import { formatColour, fromOklch } from "../colour";
import { formatQuantity } from "../timeline/arguments";

/** /api/v1/measures/CONTEXT/PASS/STATE. */
export interface WireMeasures {
  measures: { name: string; unit: string; id: number[]; value: (number | null)[] }[];
}

export interface NodeMeasure {
  name: string;
  unit: string;
  /** By node. */
  values: ReadonlyMap<number, number>;
  least: number;
  most: number;
  /** Where its values are not amounts but say which of these. */
  kinds?: readonly { name: string; colour: string }[];
}

/** /api/v1/memories/CONTEXT/PASS/STATE. */
export interface WireMemories {
  memories: { name: string; colour: string }[];
  id: number[];
  memory: number[];
}

/** What it is called among what colours the graph. */
export const kMemoryMeasure = "memory";

export function readMemories({ memories, id, memory }: WireMemories): NodeMeasure {
  const values = new Map(id.map((node, i) => [node, memory[i]!]));
  return { name: kMemoryMeasure, unit: "", values, least: 0, most: memories.length - 1, kinds: memories };
}

export function readMeasures({ measures }: WireMeasures): NodeMeasure[] {
  return measures.map(({ name, unit, id, value }) => {
    const values = new Map<number, number>();
    let [least, most] = [Infinity, -Infinity];
    for (const [i, node] of id.entries()) {
      const number = value[i];
      if (number === null || number === undefined) continue;
      values.set(node, number);
      least = Math.min(least, number);
      most = Math.max(most, number);
    }
    return { name, unit, values, least, most };
  });
}

export function formatMeasure({ unit }: { unit: string }, value: number): string {
  return unit === "" ? String(Number(value.toPrecision(6))) : formatQuantity(value, unit);
}

const kLowHue = (255 / 180) * Math.PI;
const kHighHue = (25 / 180) * Math.PI;

/**
 * From blue for little to red for much, in the middle green; null where the node has no number. What is not below 0 is
 * measured from 0, so that twice as much is twice as far.
 */
export function colourOfMeasure({ values, least, most, kinds }: NodeMeasure, node: number): string | null {
  const value = values.get(node);
  if (value === undefined) return null;
  if (kinds !== undefined) return kinds[value]?.colour ?? null;
  const from = Math.min(least, 0);
  const share = most > from ? (value - from) / (most - from) : 0;
  return formatColour(fromOklch(0.7, 0.15, kLowHue + (kHighHue - kLowHue) * share));
}
