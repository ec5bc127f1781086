// The Inspector's tables: events, time by name and by module, numeric gaps; the chosen event beside them.
import { formatCount, formatPlural, formatShare } from "../../lib/text";
import type { OpenView } from "../view";
import { useApp, useCommand } from "../parts/app-context";
import { FilterBox } from "../parts/filter-box";
import { Blank } from "../parts/blank";
import { Split } from "../parts/split";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { arrange, gapRows, nameBlock, recordsOf, type GapRow } from "./arrange";
import { eventColumns, gapColumns, moduleColumns, nameColumns, partitionColumns } from "./columns";
import { EventSide, linkToIteration } from "./event-side";
import { createInspector, type InspectorState, type TableName } from "./state";
import type { WireEvent, WirePartition } from "./wire";
import "./inspector.css";

export const openInspector: OpenView = (app) => {
  const inspector = createInspector(app);
  return () => <Inspector inspector={inspector} />;
};

function Inspector({ inspector }: { inspector: InspectorState }) {
  useInspectorKeys(inspector);
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
  partitions: "Delegation",
  gaps: "Numeric gap",
};

function Tables({ inspector }: { inspector: InspectorState }) {
  const block = inspector.block.value!;
  const records = inspector.records.value;
  const hasGaps = recordsOf(records, "gap", block.block_index).length > 0;
  const hasModules = recordsOf(records, "module", block.block_index).length > 0;
  const hasPartitions = recordsOf(records, "partition", block.block_index).length > 0;
  const offered = (Object.keys(kTitles) as TableName[]).filter(
    (table) =>
      (table !== "gaps" || hasGaps) && (table !== "modules" || hasModules) && (table !== "partitions" || hasPartitions),
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
        <FilterBox
          hint="Filter by name, op or node"
          label="Filter rows"
          text={inspector.text.value}
          onText={inspector.setText}
        />
        <Shown inspector={inspector} table={table} />
      </header>
      <Delegation inspector={inspector} />
      <div class="scroll" data-scrolls tabIndex={0}>
        <Rows inspector={inspector} table={table} />
      </div>
    </div>
  );
}

/** Who ran how much of an iteration. */
function Delegation({ inspector }: { inspector: InspectorState }) {
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
    </ul>
  );
}

function Shown({ inspector, table }: { inspector: InspectorState; table: TableName }) {
  const block = inspector.block.value!;
  const rows = inspector.shownEvents.value;
  if (table !== "events") return null;
  return (
    <>
      <span class="dim">
        {formatCount(rows.length)} of {formatPlural(inspector.events.value.length, "event")}
      </span>
      <TableExport columns={textColumns(eventColumns(inspector, block))} rows={rows} name={`events ${block.block}`} />
    </>
  );
}

function Rows({ inspector, table }: { inspector: InspectorState; table: TableName }) {
  const block = inspector.block.value!;
  const of = block.block_index;
  const records = inspector.records.value;
  const order = inspector.order.value;
  const sort = { column: order?.column ?? "", descending: order?.descending ?? false, by: inspector.sortBy };
  const show = <Row extends object>(
    columns: readonly Column<Row>[],
    rows: readonly Row[],
    textOf: (row: Row) => string,
    sorted = true,
  ) => {
    const shown = arrange(rows, textOf, inspector.text.value, sorted ? order : null);
    if (shown.length === 0) return <p class="dim note">Nothing holds all these words.</p>;
    return (
      <Table
        columns={columns}
        rows={shown}
        keyOf={(row) => rows.indexOf(row)}
        label={kTitles[table]}
        {...(sorted ? { sort } : {})}
      />
    );
  };
  if (table === "names") return show(nameColumns(block), recordsOf(records, "name", of), (row) => row.name);
  if (table === "modules") {
    const modules = recordsOf(records, "module", of);
    return show(moduleColumns(block, modules), modules, (row) => `${row.name} ${row.type}`, false);
  }
  if (table === "partitions") {
    const textOf = (row: WirePartition) => `${row.delegate} ${row.nodes.join(" ")} ${Object.keys(row.ops).join(" ")}`;
    return show(partitionColumns(block), recordsOf(records, "partition", of), textOf, false);
  }
  if (table === "gaps")
    return show<GapRow>(gapColumns(), gapRows(recordsOf(records, "gap", of)), (row) => `${row.node} ${row.op}`, false);
  const rows = inspector.shownEvents.value;
  if (rows.length === 0) return <p class="dim note">Nothing holds all these words.</p>;
  return (
    <Table<WireEvent>
      columns={eventColumns(inspector, block)}
      rows={rows}
      keyOf={(row) => inspector.events.value.indexOf(row)}
      label={kTitles.events}
      sort={sort}
      isCurrent={(row) => row === inspector.chosen.value}
      onRow={(row) => inspector.choose(row)}
    />
  );
}

function useInspectorKeys(inspector: InspectorState): void {
  const { place } = useApp();
  const move = (by: number) => {
    const rows = inspector.shownEvents.value;
    const at = rows.findIndex((row) => row === inspector.chosen.value);
    const next = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next !== undefined) inspector.choose(next);
  };
  useCommand("inspector.previous", () => move(-1));
  useCommand("inspector.next", () => move(1));
  useCommand("inspector.timeline", () => {
    const link = linkToIteration(inspector, 0);
    if (link !== null) place.follow(link);
  });
  useCommand("page.clear", () => inspector.choose(null));
}
