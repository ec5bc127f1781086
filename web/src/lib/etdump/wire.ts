// The records of GET /api/v1/summary of an ETDump, under the server's names (docs/formats/etdump.md).

export type WireNumber = number | "nan" | "inf" | "-inf";

export interface WireTensor {
  dtype: string;
  shape: number[];
  sha1: string;
  min: number | null;
  max: number | null;
  mean: number | null;
  nan: number;
  inf: number;
  first: WireNumber[];
}
export type WireValue = WireTensor | WireNumber | boolean | null | WireValue[];

export interface WireEvent {
  record: "event";
  block_index: number;
  name: string;
  instruction: number | null;
  start: number[] | null;
  /** In the block's unit, of the first iterations. */
  raw: number[] | null;
  avg: number | null;
  p10: number | null;
  p50: number | null;
  p90: number | null;
  min: number | null;
  max: number | null;
  is_delegated: boolean;
  delegate_id: number | string | null;
  delegate: string | null;
  op_types: string[];
  debug_handles: number[] | null;
  stack_traces: Record<string, string | null>;
  module_hierarchy: Record<string, Record<string, [path: string, type: string]> | null>;
  delegate_metadata: string[] | null;
  debug_data: WireValue[] | null;
  /** How many equal events of the run come before it. */
  occurrence: number;
  is_approximate: boolean;
  has_op_of_kernel: boolean;
}

export interface WireBlock {
  record: "block";
  block_index: number;
  block: string;
  bundled_input: number;
  iterations: number;
  method: string | null;
  source_unit: Unit;
  unit: Unit;
  whole: number;
  run_output: WireValue[] | null;
  reference_output: WireValue[] | null;
}
export type Unit = "ns" | "us" | "ms" | "s" | "cycles";

export interface WireName {
  record: "name";
  block_index: number;
  name: string;
  calls: number;
  total: number;
  self: number;
  share: number;
  is_delegated: boolean;
  delegate: string;
  has_own_clock: boolean;
}

export interface WireDelegation {
  record: "delegation";
  block_index: number;
  /** "": the runtime's own kernels. */
  delegate: string;
  calls: number;
  nodes: number;
  total: number;
  share: number;
}

/** A call of a delegate, or a node that went to none. */
export interface WirePartition {
  record: "partition";
  block_index: number;
  /** From 1; null: the node went to none. */
  partition: number | null;
  delegate: string;
  instruction: number | null;
  nodes: string[];
  ops: Record<string, number>;
  /** Null where it did not run by itself. */
  total: number | null;
  share: number;
  dtype: string;
  /** The nearest calls that it reads of, and that read of it. */
  before: number[];
  after: number[];
  why: string;
}

export interface WireModule {
  record: "module";
  block_index: number;
  /** Its path: "" of the model itself. */
  name: string;
  type: string;
  depth: number;
  total: number;
  self: number;
  share: number;
  events: number;
}

export interface WireGap {
  record: "gap";
  block_index: number;
  metric: string;
  node: string;
  op: string;
  output: number;
  gap: WireNumber;
  runtime_ops: string[];
  aot_ops: string[];
  is_first_grown: boolean;
}

export type WireRecord =
  WireEvent | WireBlock | WireName | WireDelegation | WirePartition | WireModule | WireGap | { record: "node" };
export interface WireSummary {
  records: WireRecord[];
}
