// The answer to "what is not delegated, and why": operators by the time that they take, then the calls of delegates; of
// the chosen operator its nodes.
import { nameBlock } from "../../lib/etdump/records";
import type { WireBlock } from "../../lib/etdump/wire";
import { linkToNodes } from "../../lib/links";
import { formatPlural } from "../../lib/text";
import type { OpenView } from "../view";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { ListExport, ListTable, useListCommands, WhenFetched } from "../parts/list-view/list-view";
import { Table } from "../parts/table";
import { nodeColumns } from "./columns";
import { sayDelegation, sayReasons, type LeftOut } from "./left-out";
import { createDelegation, type DelegationState } from "./state";
import "./delegation.css";

export const openDelegation: OpenView = (app, isShown) => {
  const state = createDelegation(app, isShown);
  return () => <Shown state={state} />;
};

function Shown({ state }: { state: DelegationState }) {
  useListCommands(state.leftOut, { previous: "delegation.previous", next: "delegation.next" });
  return (
    <WhenFetched
      fetched={state.fetched.value}
      waiting="Adding up who ran the operators"
      broken="The delegation cannot be shown"
    >
      {() => {
        const block = state.block.value;
        return block === null ? <Blank title="The ETDump holds no events" /> : <Page state={state} block={block} />;
      }}
    </WhenFetched>
  );
}

function Page({ state, block }: { state: DelegationState; block: WireBlock }) {
  const { session } = useApp();
  const delegation = state.delegation.value;
  const hasRecord = session.capture.value?.files.some(({ role }) => role === "etrecord") ?? false;
  const chosen = state.leftOut.chosen.value;
  return (
    <div class="delegation" data-scrolls tabIndex={0}>
      <header class="delegation-head">
        {state.blocks.value.length > 1 && <BlockChoice state={state} block={block} />}
        {sayDelegation(delegation).map((line) => (
          <p key={line}>{line}</p>
        ))}
        <p class="dim">{sayReasons(delegation.knowsGraph, hasRecord)}</p>
      </header>
      <section>
        <h2>
          Not delegated <ListExport list={state.leftOut} name="not delegated" />
        </h2>
        <div class="delegation-table" tabIndex={0}>
          <ListTable
            list={state.leftOut}
            label="Not delegated"
            nothing="Nothing was left to the runtime's own kernels."
          />
        </div>
      </section>
      {chosen !== null && chosen.nodes.length > 0 && <Nodes row={chosen} block={block} />}
      {delegation.calls.length > 0 && (
        <section>
          <h2>
            Calls of delegates <ListExport list={state.calls} name="delegate calls" />
          </h2>
          <div class="delegation-table" tabIndex={0}>
            <ListTable list={state.calls} label="Calls of delegates" />
          </div>
        </section>
      )}
    </div>
  );
}

function BlockChoice({ state, block }: { state: DelegationState; block: WireBlock }) {
  return (
    <select
      class="choice"
      aria-label="Block"
      value={String(block.block_index)}
      onChange={(event) => state.setBlock(Number(event.currentTarget.value))}
    >
      {state.blocks.value.map((each) => (
        <option key={each.block_index} value={String(each.block_index)}>
          {nameBlock(each)}
        </option>
      ))}
    </select>
  );
}

function Nodes({ row, block }: { row: LeftOut; block: WireBlock }) {
  const { place } = useApp();
  return (
    <section>
      <h2>
        {formatPlural(row.left, "node")} of {row.op}{" "}
        <button class="link" onClick={() => place.follow(linkToNodes(row.nodes[0]!.nodes[0] ?? row.op))}>
          in the graph →
        </button>
      </h2>
      <div class="delegation-table" tabIndex={0}>
        <Table
          columns={nodeColumns(block)}
          rows={row.nodes}
          keyOf={({ nodes }) => nodes.join(" ")}
          label="Nodes that were not delegated"
        />
      </div>
    </section>
  );
}
