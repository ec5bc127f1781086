// Numbers that a capture has on ops, of the nodes of one state: to be read, and to colour the graph by.
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
export function colourOfMeasure({ values, least, most }: NodeMeasure, node: number): string | null {
  const value = values.get(node);
  if (value === undefined) return null;
  const from = Math.min(least, 0);
  const share = most > from ? (value - from) / (most - from) : 0;
  return formatColour(fromOklch(0.7, 0.15, kLowHue + (kHighHue - kLowHue) * share));
}
