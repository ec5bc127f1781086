// Sizes in bytes as text, and a byte axis.

const kByteUnits = ["B", "KB", "MB", "GB", "TB", "PB"];

/** Bytes in the decimal unit that suits: "68 B", "189 KB", "61.4 GB"; fewer than before: "−33 KB". */
export function formatBytes(bytes: number): string {
  if (bytes < 0) return `−${formatBytes(-bytes)}`;
  let unit = 0;
  let value = bytes;
  while (value >= 999.5 && unit + 1 < kByteUnits.length) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${kByteUnits[unit]}`;
}

/** A round number of bytes, without what follows the point where that is nothing: "50 KB", "2.5 MB". */
export function formatRoundBytes(bytes: number): string {
  return formatBytes(bytes)
    .replace(/(\.\d*?)0+ /, "$1 ")
    .replace(". ", " ");
}

/** Ticks of a byte axis: round numbers from 0 to top, at least `least_px` apart. */
export function makeByteTicks(top_bytes: number, height_px: number, least_px = 28): number[] {
  if (top_bytes <= 0 || height_px < least_px) return [];
  const least = (top_bytes * least_px) / height_px;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(([1, 2, 5, 10].find((m) => m * power >= least) ?? 10) * power, 1);
  const ticks: number[] = [];
  for (let at = step; at <= top_bytes; at += step) ticks.push(at);
  return ticks;
}
