// How numbers and names are written, the same everywhere in the page.

const kCounts = new Intl.NumberFormat("en-US");

/** 12345 -> "12,345". */
export function formatCount(n: number): string {
  return kCounts.format(n);
}

/** "1 node", "2 nodes". */
export function formatPlural(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

/**
 * Nanoseconds, and picoseconds beyond them, in the unit that suits: "412 ps", "812 ns", "8.12 µs", "1.50 ms", "2.10 s".
 */
export function formatDuration(ns: number, ps = 0): string {
  const size = Math.abs(ns);
  if (ps !== 0 && ns === 0) return `${ps} ps`;
  if (ps !== 0 && size < 100) return `${formatThreeDigits(ns + ps / 1000)} ns`;
  if (size < 1e3) return `${Math.round(ns)} ns`;
  if (size < 1e6) return `${formatThreeDigits(ns / 1e3)} µs`;
  if (size < 1e9) return `${formatThreeDigits(ns / 1e6)} ms`;
  return `${formatThreeDigits(ns / 1e9)} s`;
}

function formatThreeDigits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0);
}

/** The last part of a path. */
export function nameOfPath(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** "71.3 %"; what is not nothing never reads as nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  return `${(share * 100).toFixed(1)} %`;
}
