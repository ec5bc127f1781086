// What layers of the model, or compiled pieces of it, took per step before and after. Pure.
import type { WirePlace } from "./wire";

export interface ComparedLayer {
  layer_index: number | null;
  piece: number | null;
  a_ns: number;
  b_ns: number;
}

/** In their order. Work of no layer is left out. */
export function sumLayers(rows: readonly WirePlace[]): ComparedLayer[] {
  const layers = new Map<string, ComparedLayer>();
  for (const { layer_index, piece, a_mean_ns, b_mean_ns } of rows) {
    if (layer_index === null && piece === null) continue;
    const key = layer_index === null ? `piece ${piece}` : `layer ${layer_index}`;
    const layer = layers.get(key) ?? { layer_index, piece: layer_index === null ? piece : null, a_ns: 0, b_ns: 0 };
    layer.a_ns += a_mean_ns ?? 0;
    layer.b_ns += b_mean_ns ?? 0;
    layers.set(key, layer);
  }
  return [...layers.values()].sort(
    (a, b) => (a.layer_index ?? -1) - (b.layer_index ?? -1) || (a.piece ?? -1) - (b.piece ?? -1),
  );
}

/** The phases that rows are of, that with the most time first. */
export function phasesOf(rows: readonly WirePlace[]): string[] {
  const times = new Map<string, number>();
  for (const { phase, a_mean_ns, b_mean_ns } of rows) {
    if (phase !== null) times.set(phase, (times.get(phase) ?? 0) + Math.max(a_mean_ns ?? 0, b_mean_ns ?? 0));
  }
  return [...times].sort((a, b) => b[1] - a[1]).map(([phase]) => phase);
}
