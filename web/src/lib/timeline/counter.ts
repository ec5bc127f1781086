// A counter over time: steps by pixel, the value at a place, and how values read.
import { formatBytes } from "../bytes";
/** Pixels with samples: what they lie between, and what holds from there until the next step. */
export interface CounterStep {
  /** Pixels from the view's left edge; from the first to before the second. Equal where a value only goes on. */
  x0: number;
  x1: number;
  min: number;
  max: number;
  last: number;
}

/** A counter's values at a pixel: one where `min` and `max` are equal. */
export interface CounterValue {
  min: number;
  max: number;
}

/** Null before the first sample. */
export function valueAt(steps: readonly CounterStep[], x: number): CounterValue | null {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (steps[middle]!.x0 <= x) low = middle + 1;
    else high = middle;
  }
  const step = steps[low - 1];
  if (step === undefined) return null;
  return x < step.x1 ? { min: step.min, max: step.max } : { min: step.last, max: step.last };
}

/** "2.499 GHz" */
export function formatFrequency(hz: number): string {
  const [size, unit] = hz >= 1e9 ? [1e9, "GHz"] : hz >= 1e6 ? [1e6, "MHz"] : [1, "Hz"];
  return `${(hz / size).toLocaleString("en-US", { maximumFractionDigits: 3 })} ${unit}`;
}

/** Units of which a value is said in whatever multiple suits it. */
const kScaled = new Map([
  ["bytes", formatBytes],
  ["B", formatBytes],
  ["Hz", formatFrequency],
]);

/** "1,980 MHz", "64.2 %", "1.5 GiB". */
export function formatValue(value: number, unit: string): string {
  const scaled = kScaled.get(unit);
  if (scaled !== undefined) return value < 0 ? `−${scaled(-value)}` : scaled(value);
  const size = Math.abs(value);
  const text =
    size !== 0 && (size < 1e-3 || size >= 1e15)
      ? value.toExponential(2)
      : value.toLocaleString("en-US", {
          maximumFractionDigits: Math.min(Math.max(3 - Math.floor(Math.log10(Math.max(size, 1))), 0), 3),
        });
  return unit === "" ? text : `${text} ${unit}`;
}

/** "1,200 to 1,980 MHz"; one value where both are the same. */
export function formatValues({ min, max }: CounterValue, unit: string): string {
  if (min === max) return formatValue(min, unit);
  return `${formatValue(min, kScaled.has(unit) ? unit : "")} to ${formatValue(max, unit)}`;
}
