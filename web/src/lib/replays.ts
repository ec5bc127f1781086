// The server's answers about replays of graphs (server/http/API.md): graphs, their nodes, layers, the server's steps,
// and what names one kernel; and links to them.
import type {
  GraphFields,
  LayerKindFields,
  NamingFields,
  NodeFields,
  ReplayFields,
  ServerStepFields,
  SteadyFields,
} from "./device-fields";
import type { FileValue } from "./devices";
import type { LinkedEvent } from "./links";
import type { Link } from "./place";

/** One object a rank that has work in the scope. */
export interface WireRanks<T> {
  ranks: (T & { place: number; rank: FileValue })[];
}

/** What a device waited for before a replay: for its launch to take effect, for the host to launch it, for a step. */
export interface WireReplayGap {
  launch_ns: number;
  host_ns: number;
  no_step_ns: number;
  unknown_ns: number;
}

export interface WireReplay extends ReplayFields {
  from_ns: number;
  to_ns: number;
  gap: WireReplayGap;
  first: LinkedEvent;
}

export type WireReplays = WireRanks<{
  unused: string[];
  naming: NamingFields;
  graphs: GraphFields[];
  replays: WireReplay[];
}>;

export type Found = NodeFields["found"];

export const kModuleKinds = ["attention", "mlp", "norm", "routing", "other"] as const;
export type ModuleKind = (typeof kModuleKinds)[number];
export const kKindTitles: Record<ModuleKind, string> = {
  attention: "Attention",
  mlp: "MLP",
  norm: "Norm",
  routing: "Routing",
  other: "Other",
};

export interface WireNode extends Omit<NodeFields, "operators" | "stack"> {
  kind: ModuleKind;
  input_dims: unknown;
  input_types: unknown;
  /** The longest of equal parts of its runs, in their order. */
  trace: number[];
  worst: LinkedEvent;
  /** Its lane and its place there. */
  worst_place: [lane: number, index: number];
}

export type WireNodes = WireRanks<{ rows: WireNode[] }>;
export type WireLayers = WireRanks<{ rows: LayerKindFields[] }>;

export interface WireServerStep extends ServerStepFields {
  from_ns: number;
  to_ns: number;
  gap: WireReplayGap;
}

export type WireServerSteps = WireRanks<{
  rows: WireServerStep[];
  gap: WireReplayGap;
  steady: (SteadyFields & { from_ns: number; to_ns: number }) | null;
}>;

/** What names a kernel of a replay. */
export interface WireNaming {
  replay: number;
  /** How often its graph ran. */
  of_graph: number;
  graph: number;
  node: number;
  nodes: number;
  capture: string | null;
  missing: number;
  candidates: number;
  found: Found;
  why: string;
  label: string | null;
  operator: string | null;
  module: string | null;
  layer: string | null;
  layer_index: number | null;
  piece: number | null;
  /** JSON, as the profiler recorded them. */
  input_dims: string | null;
  input_types: string | null;
  operators: string[] | null;
  stack: string[] | null;
  step: { step: number; name: string; phase: string | null } | null;
  previous: LinkedEvent | null;
  next: LinkedEvent | null;
  slowest: LinkedEvent;
  runs: number;
  drawn: { replay: number; event: LinkedEvent }[];
}

export const kFoundTitles: Record<Found, string> = {
  id: "by its node",
  order: "by order",
  guessed: "a guess",
  none: "not named",
};

/** "layer 3", "piece 3": where in the model it is. */
export function sayLayer(row: { layer_index: number | null; piece: number | null; layer?: string | null }): string {
  if (row.layer_index !== null) return `layer ${row.layer_index}`;
  if (row.piece !== null) return `piece ${row.piece}`;
  return row.layer ?? "";
}

/** The words by which a node is found. */
export const wordsOfNode = (row: WireNode): string[] => [`found:${row.found}`, ...wordsOfWork(row)];

/** The words that tell what work is of. */
export function wordsOfWork(
  row: Pick<WireNode, "layer_index" | "piece" | "operator"> & { kind: ModuleKind },
): string[] {
  const words = [`module:${row.kind}`];
  if (row.layer_index !== null) words.push(`layer:${row.layer_index}`);
  if (row.piece !== null) words.push(`piece:${row.piece}`);
  if (row.operator !== null) words.push(`operator:${row.operator.toLowerCase()}`);
  return words;
}

/** The terms of a filter that name a property, such as layer:3, which holds whole and not as a part of layer:30. */
export function termsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => /^[a-z]+:.+$/.test(word));
}

/** Properties of nodes, as wordsOfNode() has them. */
const kNodeProperties = ["layer", "piece", "module", "operator", "found"];
/** Further ones that only searches of a trace's events know (server/analysis/graph_replay/replay_query.h). */
const kWorkProperties = [...kNodeProperties, "phase", "step", "replay", "graph", "node"];

const namesAny = (text: string, properties: readonly string[]) =>
  termsOf(text).some((term) => properties.includes(term.slice(0, term.indexOf(":"))));
/** Whether a text asks for nodes of graphs, or for work by what replays tell of it. */
export const asksForNodes = (text: string) => namesAny(text, kNodeProperties);
export const asksForWork = (text: string) => namesAny(text, kWorkProperties);

/** How much longer than usual it may take. */
export const spreadOf = ({ p99_ns, median_ns }: Pick<NodeFields, "p99_ns" | "median_ns">): number | null =>
  median_ns > 0 ? p99_ns / median_ns : null;

/** To the nodes of a graph that hold these words. */
export const linkToGraphNodes = (words: string, graph: number | null = null): Link => ({
  view: "graph-nodes",
  keys: {
    graphnodes: words === "" ? null : words,
    replayedgraph: graph === null ? null : String(graph),
    graphnode: null,
  },
});

export interface HeatCell {
  per_step_ns: number;
  /** From 0, the least of its column, to 1, the most. */
  heat: number;
  /** Far above the middle of its column. */
  isOutlier: boolean;
}

export interface HeatColumn {
  phase: string | null;
  kind: ModuleKind | null;
}

export interface HeatRow {
  layer: string | null;
  layer_index: number | null;
  piece: number | null;
  /** By column; null: nothing ran. */
  cells: (HeatCell | null)[];
}

const kOutlier = 1.5;

/** A layer's work of one kind in one phase, which may be called after its capture. */
type LayerInPhase = Omit<LayerKindFields, "phase"> & { phase: string | null };

/** Lays the layers of two captures side by side: a phase that both have is told apart by the name of the other one. */
export function layersBeside(
  rows: readonly LayerKindFields[],
  others: readonly LayerKindFields[],
  name: string,
): readonly LayerInPhase[] {
  const phases = new Set(rows.map(({ phase }) => phase));
  return [
    ...rows,
    ...others.map((row) => (phases.has(row.phase) ? { ...row, phase: `${row.phase ?? "no step"}, ${name}` } : row)),
  ];
}

/** Layers by phase and kind of module, each phase begun by its sum. Work of no layer is left out. */
export function heatOf(rows: readonly LayerInPhase[]): { columns: HeatColumn[]; rows: HeatRow[] } {
  const inLayers = rows.filter(
    ({ layer, layer_index, piece }) => layer !== null || layer_index !== null || piece !== null,
  );
  const phases = [...new Set(inLayers.map(({ phase }) => phase))];
  const columns = phases.flatMap((phase): HeatColumn[] => [
    { phase, kind: null },
    ...kModuleKinds
      .filter((kind) => inLayers.some((row) => row.phase === phase && row.kind === kind))
      .map((kind) => ({ phase, kind })),
  ]);
  const layers = new Map<string, LayerInPhase[]>();
  for (const row of inLayers) {
    const key = JSON.stringify([
      row.layer_index,
      row.piece,
      row.layer_index === null && row.piece === null ? row.layer : "",
    ]);
    layers.set(key, [...(layers.get(key) ?? []), row]);
  }
  const sums = [...layers.values()].map((of) => ({
    of: of[0]!,
    sums: columns.map(({ phase, kind }) => {
      const held = of.filter((row) => row.phase === phase && (kind === null || row.kind === kind));
      // Work of no step has no time per step: all of it counts.
      return held.length === 0 ? null : held.reduce((sum, row) => sum + (row.per_step_ns ?? row.total_ns), 0);
    }),
  }));
  sums.sort((a, b) => placeOf(a.of) - placeOf(b.of));
  const ranges = columns.map((_, at) => rangeOf(sums.flatMap(({ sums: each }) => each[at] ?? [])));
  return {
    columns,
    rows: sums.map(({ of, sums: each }) => ({
      layer: of.layer,
      layer_index: of.layer_index,
      piece: of.piece,
      cells: each.map((ns, at) => (ns === null ? null : cellOf(ns, ranges[at]!))),
    })),
  };
}

const placeOf = ({ layer_index, piece }: LayerInPhase) => layer_index ?? piece ?? -1;

function rangeOf(values: number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  return { least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0 };
}

function cellOf(ns: number, { least, most, median }: ReturnType<typeof rangeOf>): HeatCell {
  // A column that hardly changes is not painted as if it did.
  const span = Math.max(most - least, 0.1 * most, 1);
  return { per_step_ns: ns, heat: (ns - least) / span, isOutlier: median > 0 && ns > kOutlier * median };
}

/** Steps of one phase with as many requests, and about as much context where that is asked: how long one took, to the next. */
export interface StepGroup {
  phase: string | null;
  requests: number | null;
  /** Tokens in the cache of a request, from this power of two to the next; null: not asked, or not told. */
  context_from: number | null;
  steps: number;
  /** From a step's first work to that of the next; null where none did any work. */
  median_ns: number | null;
  p99_ns: number | null;
  spread: number | null;
  tokens_per_s: number | null;
  host_median_ns: number;
  device_median_ns: number | null;
  context: number | null;
}

export function groupSteps(rows: readonly WireServerStep[], byContext = false): StepGroup[] {
  const groups = new Map<string, WireServerStep[]>();
  const classOf = (row: WireServerStep) => (byContext ? contextClassOf(row) : null);
  for (const row of rows) {
    const key = `${row.phase} ${row.requests} ${classOf(row)}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((of) => {
    const periods = of.flatMap(({ period_ns }) => period_ns ?? []);
    const hasWork = periods.length > 0;
    const [median_ns, p99_ns] = [rankedAt(periods, 0.5), rankedAt(periods, 0.99)];
    const tokens = of.every((row) => row.tokens !== null) ? of.reduce((sum, row) => sum + row.tokens!, 0) : null;
    const time_ns = periods.reduce((sum, ns) => sum + ns, 0);
    const kv = of.flatMap(({ generation_kv }) => generation_kv ?? []);
    return {
      phase: of[0]!.phase,
      requests: of[0]!.requests,
      context_from: classOf(of[0]!),
      steps: of.length,
      median_ns: hasWork ? median_ns : null,
      p99_ns: hasWork ? p99_ns : null,
      spread: median_ns > 0 ? p99_ns / median_ns : null,
      tokens_per_s: tokens === null || time_ns === 0 ? null : (tokens * 1e9) / time_ns,
      host_median_ns: rankedAt(
        of.map(({ host_ns }) => host_ns),
        0.5,
      ),
      device_median_ns: !hasWork
        ? null
        : rankedAt(
            of.flatMap(({ device_span_ns }) => device_span_ns ?? []),
            0.5,
          ),
      context: kv.length === 0 ? null : kv.reduce((sum, count) => sum + count, 0) / kv.length,
    };
  });
}

/**
 * The number of tokens that each of its requests in decode has in the cache on average: the power of two at or below; 0
 * for none.
 */
function contextClassOf({ generation_kv, generation_requests }: WireServerStep): number | null {
  if (generation_kv === null || !generation_requests) return null;
  const each = generation_kv / generation_requests;
  return each < 1 ? 0 : 2 ** Math.floor(Math.log2(each));
}

/** The value that such a share of all does not exceed; 0 of none. */
export function rankedAt(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
