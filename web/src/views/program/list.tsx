// The left pane: every program of the capture, with what its executions took.
import { untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { formatCount, formatDuration, formatShare } from "../../lib/text";
import { dataOf } from "../../state/fetched";
import { useApp, useCommand } from "../parts/app-context";
import { useProgram } from "./context";
import {
  arrangePrograms,
  formatOrder,
  kProgramColumns,
  listPrograms,
  turnOrder,
  valueOf,
  type ProgramColumn,
  type ProgramOrder,
  type ProgramRow,
} from "./program-rows";
import { KeyCap } from "../parts/key-cap";
import { Name, Neighbours } from "../parts/name";
import { TableExport } from "../parts/table-export";
import { VirtualList } from "../parts/virtual-list";

const kRow_px = 24;

export function ProgramList() {
  const { session } = useApp();
  const program = useProgram();
  const filter = useSignal("");
  const all = useComputed(() => {
    const { contexts = [], programs = [] } = session.contexts.value ?? {};
    return listPrograms(contexts, programs, dataOf(program.programs.value));
  });
  const order = program.order;
  const rows = useComputed(() => arrangePrograms(all.value, filter.value, order.value));
  const names = useComputed(() => rows.value.map(({ name }) => name));
  const hasTimes = all.value.some((row) => row.figures !== null);
  const columns = hasTimes ? kProgramColumns : kProgramColumns.slice(0, 1);
  const isCurrent = (row: ProgramRow) =>
    row.context === null ? row.alone === program.alone.value : row.context === program.context.value;
  const current = rows.value.findIndex(isCurrent);
  const goTo = (row: ProgramRow) => (row.context === null ? program.goToAlone(row.alone) : program.goTo(row.context));
  const move = (by: number) => {
    const row = rows.value[current + by];
    if (row !== undefined) goTo(row);
  };
  const sortBy = (next: ProgramOrder | null) => program.look({ programs: formatOrder(next) });
  useCommand("program.nextProgram", () => move(1));
  useCommand("program.previousProgram", () => move(-1));
  useSlowest(() => {
    sortBy(kSlowestFirst);
    const slowest = arrangePrograms(all.peek(), filter.peek(), kSlowestFirst)[0];
    if (slowest !== undefined) goTo(slowest);
  });
  return (
    <div class="list-pane program-list">
      <div class="filter">
        <input
          type="text"
          placeholder="Filter programs"
          aria-label="Filter programs"
          spellcheck={false}
          value={filter.value}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
        <KeyCap command="program.nextProgram" />
        {hasTimes && <TableExport columns={kTextColumns} rows={rows.value} name="programs" />}
      </div>
      <div class="program-row program-heads" role="group" aria-label="Sort programs by">
        {columns.map(({ id, title, hint }) => (
          <button
            key={id}
            class={`sort column-${id}`}
            title={hint}
            aria-pressed={order.value?.column === id}
            onClick={() => sortBy(turnOrder(order.value, id))}
          >
            {title}
            {order.value?.column === id && ((id === "name") === order.value.reversed ? " ↓" : " ↑")}
          </button>
        ))}
      </div>
      <Neighbours names={names.value}>
        <VirtualList
          count={rows.value.length}
          rowHeight_px={kRow_px}
          current={current}
          label="Programs"
          role="listbox"
          renderRow={(i) => (
            <ProgramListRow
              key={rows.value[i]!.context ?? `p${rows.value[i]!.alone}`}
              row={rows.value[i]!}
              columns={columns}
              isCurrent={i === current}
              onChoose={goTo}
            />
          )}
        />
      </Neighbours>
    </div>
  );
}

interface ProgramListRowProps {
  row: ProgramRow;
  columns: readonly { id: ProgramColumn }[];
  isCurrent: boolean;
  onChoose: (row: ProgramRow) => void;
}

function ProgramListRow({ row, columns, isCurrent, onChoose }: ProgramListRowProps) {
  return (
    <div
      class={`program-row ${isCurrent ? "current" : ""}`}
      role="option"
      aria-selected={isCurrent}
      title={row.context === null ? `No context made it: ${row.device} has it from elsewhere` : undefined}
      onClick={() => onChoose(row)}
    >
      {columns.map(({ id }) => (
        <span key={id} class={`column-${id}`} title={titleOf(row, id)}>
          {id === "name" ? <ProgramName row={row} /> : formatValue(row, id)}
        </span>
      ))}
    </div>
  );
}

function ProgramName({ row }: { row: ProgramRow }) {
  return (
    <>
      <Name name={row.name} />
      {row.context === null && <span class="dim"> library</span>}
    </>
  );
}

const kSlowestFirst: ProgramOrder = { column: "total_ns", reversed: false };

/** Shows the slowest program; if the times are not there yet, once they are. */
function useSlowest(show: () => void): void {
  const program = useProgram();
  const isAsked = useSignal(false);
  useCommand("program.slowest", () => (isAsked.value = true));
  useSignalEffect(() => {
    if (!isAsked.value || dataOf(program.programs.value) === undefined) return;
    untracked(() => {
      isAsked.value = false;
      show();
    });
  });
}

const kTextColumns = kProgramColumns.map(({ id }) => ({ id, value: (row: ProgramRow) => valueOf(row, id) }));

/** Exact, where what is read is rounded. */
function titleOf(row: ProgramRow, column: ProgramColumn): string | undefined {
  const value = valueOf(row, column);
  if (column === "name") return undefined;
  if (value === null) return "never ran";
  return column.endsWith("_ns") ? `${value} ns` : undefined;
}

function formatValue(row: ProgramRow, column: Exclude<ProgramColumn, "name">): string {
  const value = valueOf(row, column);
  if (typeof value !== "number") return "–";
  if (column === "share") return formatShare(value);
  return column === "count" ? formatCount(value) : formatDuration(value);
}
