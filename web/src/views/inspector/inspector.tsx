// The Inspector's tables: events, time by name and by module, numeric gaps; the chosen event beside them.
import { nameBlock, recordsOf } from "../../lib/etdump/records";
import { formatCount, formatPlural, formatShare } from "../../lib/text";
import type { OpenView } from "../view";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { ListExport, ListFilter, ListTable, useListCommands } from "../parts/list-view/list-view";
import { Split } from "../parts/split";
import { EventSide, linkToIteration } from "./event-side";
import { createInspector, type InspectorLists, type InspectorState, type TableName } from "./state";
import "./inspector.css";

export const openInspector: OpenView = (app) => {
  const inspector = createInspector(app);
  return () => <Inspector inspector={inspector} />;
};

function Inspector({ inspector }: { inspector: InspectorState }) {
  const { place } = useApp();
  useListCommands(inspector.lists.events, { previous: "inspector.previous", next: "inspector.next" });
  useCommand("inspector.timeline", () => {
    const link = linkToIteration(inspector, 0);
    if (link !== null) place.follow(link);
  });
  const { value, problem } = inspector.fetched.value;
  if (problem !== null)
    return <Blank title="The Inspector's figures cannot be shown" lines={[problem.message]} tone="broken" />;
  if (value === null) return <Blank title="Adding up the events" />;
  if (inspector.block.value === null) return <Blank title="The ETDump holds no events" />;
  return (
    <Split
      left={null}
      leftLabel=""
      middle={<Tables inspector={inspector} />}
      right={<EventSide inspector={inspector} />}
      rightLabel="the event"
    />
  );
}

const kTitles: Record<TableName, string> = {
  events: "Events",
  names: "By name",
  modules: "By module",
  gaps: "Numeric gap",
};

function Tables({ inspector }: { inspector: InspectorState }) {
  const block = inspector.block.value!;
  const records = inspector.records.value;
  const hasGaps = recordsOf(records, "gap", block.block_index).length > 0;
  const hasModules = recordsOf(records, "module", block.block_index).length > 0;
  const offered = (Object.keys(kTitles) as TableName[]).filter(
    (table) => (table !== "gaps" || hasGaps) && (table !== "modules" || hasModules),
  );
  const table = offered.includes(inspector.table.value) ? inspector.table.value : "events";
  return (
    <div class="inspector">
      <header class="inspector-head">
        <select
          class="choice"
          aria-label="Block"
          value={String(block.block_index)}
          onChange={(event) => inspector.setBlock(Number(event.currentTarget.value))}
        >
          {inspector.blocks.value.map((each) => (
            <option key={each.block_index} value={String(each.block_index)}>
              {nameBlock(each)}
            </option>
          ))}
        </select>
        <div class="inspector-tables" role="group" aria-label="Table">
          {offered.map((each) => (
            <button key={each} aria-pressed={each === table} onClick={() => inspector.setTable(each)}>
              {kTitles[each]}
            </button>
          ))}
        </div>
        <ListFilter list={inspector.lists.events} hint="Filter by name, op or node" label="Filter rows" />
        <Shown inspector={inspector} table={table} />
      </header>
      <Delegation inspector={inspector} />
      <div class="scroll" data-scrolls tabIndex={0}>
        <Rows lists={inspector.lists} table={table} />
      </div>
    </div>
  );
}

/** How much of an iteration each delegate ran, and the portable kernels. */
function Delegation({ inspector }: { inspector: InspectorState }) {
  const { place } = useApp();
  const rows = recordsOf(inspector.records.value, "delegation", inspector.block.value!.block_index);
  if (rows.length === 0) return null;
  return (
    <ul class="inspector-shares" aria-label="Who ran it">
      {rows.map((row) => (
        <li key={row.delegate}>
          <strong>{row.delegate === "" ? "portable kernels" : row.delegate}</strong> {formatShare(row.share)}
          <span class="dim">
            {" "}
            · {formatPlural(row.calls, "call")}
            {row.nodes > 0 && ` · ${formatPlural(row.nodes, "node")}`}
          </span>
        </li>
      ))}
      <li>
        <button class="link" onClick={() => place.follow({ view: "delegation", keys: {} })}>
          what is not delegated →
        </button>
      </li>
    </ul>
  );
}

function Shown({ inspector, table }: { inspector: InspectorState; table: TableName }) {
  if (table !== "events") return null;
  const list = inspector.lists.events;
  return (
    <>
      <span class="dim">
        {formatCount(list.rows.value.length)} of {formatPlural(inspector.events.value.length, "event")}
      </span>
      <ListExport list={list} name={`events ${inspector.block.value!.block}`} />
    </>
  );
}

function Rows({ lists, table }: { lists: InspectorLists; table: TableName }) {
  const label = kTitles[table];
  switch (table) {
    case "events":
      return <ListTable list={lists.events} label={label} />;
    case "names":
      return <ListTable list={lists.names} label={label} />;
    case "modules":
      return <ListTable list={lists.modules} label={label} />;
    case "gaps":
      return <ListTable list={lists.gaps} label={label} />;
  }
}
