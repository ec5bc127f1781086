// Questions to the store in its own SQL: rows of all jobs and ranks, read only, with limits.
import { useSignal } from "@preact/signals";
import { formatCount, formatPlural } from "../../lib/text";
import { Blank } from "../parts/blank";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import type { WireCell } from "./model";
import type { FleetState, SqlAnswer } from "./state";

function firstQuery(job: string): string {
  const name = job.replace(/[\\']/g, "\\$&");
  return `SELECT rank, count() AS slices, sum(dur) AS total_ns\nFROM slice\nWHERE job = '${name}'\nGROUP BY rank\nORDER BY total_ns DESC\nLIMIT 50`;
}

export function JobSql({ fleet }: { fleet: FleetState }) {
  const text = useSignal(fleet.query.value ?? firstQuery(fleet.job.value ?? ""));
  const { wish, value, problem } = fleet.answer.value;
  const run = () => fleet.ask(text.value);
  return (
    <div class="fleet-sql">
      <textarea
        aria-label="Query"
        spellcheck={false}
        rows={8}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
        }}
      />
      <p class="fleet-note">
        <button onClick={run}>
          Run <kbd>Ctrl+Enter</kbd>
        </button>
        <span class="dim">
          ClickHouse's SQL over all jobs: every table of vizd's, with job and rank before its columns. Nothing can be
          changed from here.
        </span>
      </p>
      {problem !== null ? (
        <p class="sql-refusal" role="alert">
          {problem.message}
        </p>
      ) : value !== null ? (
        <Rows answer={value.data} />
      ) : (
        wish !== null && <Blank title="Asking" />
      )}
    </div>
  );
}

function plain(cell: WireCell): string | number | null {
  return Array.isArray(cell) ? cell.map(String).join(", ") : cell;
}

function Rows({ answer }: { answer: SqlAnswer }) {
  const columns: Column<WireCell[]>[] = answer.columns.map((name, i) => ({
    id: name,
    title: name,
    ...(typeof answer.rows[0]?.[i] === "number" ? {} : { align: "left" as const }),
    show: (row) => {
      const cell = plain(row[i] ?? null);
      return cell === null ? (
        <span class="dim">null</span>
      ) : typeof cell === "number" && Number.isInteger(cell) ? (
        formatCount(cell)
      ) : (
        cell
      );
    },
    value: (row) => plain(row[i] ?? null),
  }));
  return (
    <>
      <p class="fleet-note">
        <span class="dim">
          {answer.whole ? formatPlural(answer.rows.length, "row") : `the first ${formatCount(answer.rows.length)} rows`}{" "}
          in {formatCount(Math.round(answer.took_us / 1000))} ms
        </span>
        <TableExport columns={textColumns(columns)} rows={answer.rows} name="answer" />
      </p>
      <Table columns={columns} rows={answer.rows} keyOf={(row) => answer.rows.indexOf(row)} label="Answer" />
    </>
  );
}
