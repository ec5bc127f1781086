// The answers of /api/v1/values (server/http/API.md).

/** NaN and the infinities as texts. */
export type WireNumber = number | "nan" | "inf" | "-inf";

export interface WireFigures {
  dtype: string;
  shape: number[];
  min: WireNumber | null;
  max: WireNumber | null;
  mean: WireNumber | null;
  nan: number;
  inf: number;
  zero: number;
}

export interface WireValue extends WireFigures {
  block: number;
  /** "output": what the program returned. */
  event: string;
  instruction: number | null;
  /** The number of the value among the event's. */
  argument: number;
  nodes: string;
  has_data: boolean;
}

export interface WireGap {
  block: number;
  node: string;
  op: string;
  event: string;
  instruction: number;
  /** The number of the pass, in a loop. */
  occurrence: number;
  output: number;
  /** Its place in the list of values. */
  value: number | null;
  dtype: string;
  shape: number[];
  mse: WireNumber;
  l1: WireNumber;
  snr: WireNumber;
  cosine: WireNumber;
  max_relative: WireNumber;
  relative_error: WireNumber;
  is_first_grown: boolean;
}

export interface WireValues {
  blocks: { name: string; bundled_input: number; method: string; iterations: number }[];
  values: WireValue[];
  iteration: number;
  has_reference: boolean;
  gaps: WireGap[];
  not_compared: string[];
}

export interface WireSlice {
  index: number;
  of: number;
  rows: number;
  columns: number;
  row_step: number;
  column_step: number;
  /** Every row_step-th row of every column_step-th element. */
  elements: WireNumber[];
}

export interface WireTensor extends WireFigures {
  sha1: string;
  /** Finite elements by equal parts between min and max; null without any. */
  histogram: number[] | null;
  slice: WireSlice;
}

export const toNumber = (value: WireNumber): number =>
  typeof value === "number" ? value : Number(value.replace("inf", "Infinity"));

/** "0.203", "1.37e-7", "∞". */
export function formatValue(value: WireNumber | null): string {
  if (value === null) return "·";
  if (value === "nan") return "NaN";
  if (typeof value !== "number") return value.replace("inf", "∞");
  if (value === 0 || Number.isInteger(value)) return value.toString();
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e5 ? String(Number(value.toPrecision(5))) : value.toExponential(2);
}

export const formatShape = (shape: readonly number[]) => (shape.length === 0 ? "scalar" : shape.join(" × "));
