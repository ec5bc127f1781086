// The state of Delegation, as the URL says: one block of the ETDump, an operator of it chosen.
import { computed, type ReadonlySignal } from "@preact/signals";
import { recordsOf, usualBlock } from "../../lib/etdump/records";
import type { WireBlock, WirePartition, WireSummary } from "../../lib/etdump/wire";
import type { App } from "../../state/app";
import { followProfile } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { callColumns, leftOutColumns } from "./columns";
import { delegationOf, type Delegation, type LeftOut } from "./left-out";

export interface DelegationState {
  fetched: ReadonlySignal<Fetched<WireSummary>>;
  /** The blocks that ran anything. */
  blocks: ReadonlySignal<readonly WireBlock[]>;
  block: ReadonlySignal<WireBlock | null>;
  delegation: ReadonlySignal<Delegation>;
  leftOut: List<LeftOut>;
  calls: List<WirePartition>;
  setBlock(index: number): void;
}

export function createDelegation(app: App, isShown: ReadonlySignal<boolean>): DelegationState {
  const { place } = app;
  const blockKey = place.key("execution");
  const fetched = followProfile<WireSummary>(app, isShown, ({ format }) =>
    format === "etdump" ? "/api/v1/summary" : null,
  );
  const records = computed(() => fetched.value.value?.data.records ?? []);
  const blocks = computed(() => {
    const ran = new Set(recordsOf(records.value, "delegation").map(({ block_index }) => block_index));
    const all = recordsOf(records.value, "block");
    const worked = all.filter(({ block_index }) => ran.has(block_index));
    return worked.length > 0 ? worked : all;
  });
  const block = computed(() => {
    const wanted = blockKey.value === undefined ? usualBlock(blocks.value) : Number(blockKey.value);
    return blocks.value.find(({ block_index }) => block_index === wanted) ?? blocks.value[0] ?? null;
  });
  const delegation = computed(() => delegationOf(records.value, block.value?.block_index ?? -1));
  return {
    fetched,
    blocks,
    block,
    delegation,
    leftOut: createList<LeftOut>(place, {
      rows: () => delegation.value.leftOut,
      columns: () => (block.value === null ? [] : leftOutColumns(block.value)),
      keyOf: ({ op, why }) => `${op} ${why}`,
      keys: { order: "leftoutorder", chosen: "leftout" },
    }),
    calls: createList<WirePartition>(place, {
      rows: () => delegation.value.calls,
      columns: () => (block.value === null ? [] : callColumns(block.value)),
      keyOf: ({ partition }) => String(partition),
      keys: {},
    }),
    setBlock: (index) => place.adjust({ execution: String(index), leftout: null }),
  };
}
