// The answer: how many rows and how long it took, the chart where there is one, the rows.
import { useSignal } from "@preact/signals";
import { nameFile } from "../../lib/file-name";
import { formatTable } from "../../lib/table-text";
import { formatCount, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { useCopy } from "../parts/copy-button";
import { Menu } from "../parts/menu";
import { saveText } from "../parts/save-file";
import { Table, type Column } from "../parts/table";
import {
  chartOf,
  groupDigits,
  isId,
  isNumber,
  linkOfRow,
  nameOfLink,
  numberColumns,
  numberOfValue,
  textOfValue,
} from "./answer";
import { AnswerChart } from "./chart";
import { kMostRows, type SqlState, type TextFormat } from "./state";
import type { WireAnswer, WireValue } from "./wire";

export function SqlResult({ sql }: { sql: SqlState }) {
  const answer = sql.answer.value;
  const problem = sql.problem.value;
  if (problem !== null) return <Refusal message={problem.message} where={problem.where} />;
  if (answer === null)
    return sql.isRunning.value ? (
      <Blank title="Asking" />
    ) : (
      <p class="dim note">Ctrl+Enter runs the query. Each question at the right is one to begin with.</p>
    );
  return (
    <div class={sql.isRunning.value ? "sql-answer stale" : "sql-answer"} aria-busy={sql.isRunning.value}>
      <Rows sql={sql} answer={answer} />
    </div>
  );
}

function Refusal({ message, where }: { message: string; where: string | undefined }) {
  const place = where !== undefined && /^line \d/.test(where) ? `${where}: ` : "";
  return (
    <p class="sql-problem" role="alert">
      {place}
      {message}
    </p>
  );
}

function Rows({ sql, answer }: { sql: SqlState; answer: WireAnswer }) {
  const { place } = useApp();
  const chart = chartOf(answer);
  const born = answer.columns.indexOf("born");
  const linkAt = (row: number) =>
    linkOfRow(answer.links[row] ?? null, born < 0 ? null : (answer.rows[row]![born] ?? null));
  const go = (row: number) => {
    const link = linkAt(row);
    if (link !== null) place.follow(link);
  };
  const rows = answer.rows.map((_, at) => at);
  return (
    <>
      <header class="sql-head">
        <span>
          {formatPlural(answer.rows.length, "row")}
          {!answer.whole && " and more"}
        </span>
        <span class="dim">{formatCount(Math.round(answer.took_us / 1000))} ms</span>
        {!answer.whole && sql.limit.value < kMostRows && (
          <button class="link" onClick={() => sql.showMore()}>
            up to {formatCount(Math.min(sql.limit.value * 10, kMostRows))}
          </button>
        )}
        <Export sql={sql} answer={answer} />
      </header>
      <div class="scroll" data-scrolls tabIndex={0}>
        {chart !== null && <AnswerChart chart={chart} onRow={go} />}
        {rows.length === 0 ? (
          <p class="dim note">No row fits.</p>
        ) : (
          <Table
            columns={columnsOf(answer, linkAt, go)}
            rows={rows}
            keyOf={(row) => row}
            label="Result"
            onRow={answer.links.some((link) => link !== null) ? go : undefined}
          />
        )}
      </div>
    </>
  );
}

function columnsOf(answer: WireAnswer, linkAt: (row: number) => unknown, go: (row: number) => void): Column<number>[] {
  const numeric = new Set(numberColumns(answer));
  const columns = answer.columns.map((title, at): Column<number> => ({
    id: `${at}`,
    title,
    ...(numeric.has(at) ? {} : { align: "left" as const }),
    show: (row) => <ShownValue value={answer.rows[row]![at]!} isId={isId(title)} />,
  }));
  if (answer.links.every((link) => link === null)) return columns;
  const way: Column<number> = {
    id: "way",
    title: "",
    align: "left",
    show: (row) =>
      linkAt(row) === null ? null : (
        <button
          class="link"
          title={`Go to ${nameOfLink(answer.links[row]!)}`}
          aria-label={`Go to ${nameOfLink(answer.links[row]!)}`}
          onClick={(event) => {
            event.stopPropagation();
            go(row);
          }}
        >
          →
        </button>
      ),
  };
  return [way, ...columns];
}

const kMostShown = 300;

function ShownValue({ value, isId }: { value: WireValue; isId: boolean }) {
  const text = textOfValue(value);
  if (text === null) return <span class="faint">null</span>;
  if (isNumber(value)) return <>{isId ? text : groupDigits(text)}</>;
  return text.length <= kMostShown ? (
    <span class="sql-text">{text}</span>
  ) : (
    <span class="sql-text" title={`${formatCount(text.length)} characters; the export has them all`}>
      {text.slice(0, kMostShown)}…
    </span>
  );
}

const kTypes: Record<TextFormat, string> = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  json: "application/json",
};

function Export({ sql, answer }: { sql: SqlState; answer: WireAnswer }) {
  const open = useSignal(false);
  const columns = answer.columns.map((id, at) => ({
    id,
    value: (row: WireValue[]) => {
      const value = row[at]!;
      return Array.isArray(value) ? value[0] : (numberOfValue(value) ?? (value as string | null));
    },
  }));
  const save = async (format: TextFormat) => {
    open.value = false;
    const text = await sql.fetchText(format);
    if (text !== null) saveText(`${nameFile("query")}.${format}`, kTypes[format], text);
  };
  return (
    <Menu open={open} label="Export" title="Take the result away">
      <div class="menu-actions">
        <CopyItem label="Copy for a spreadsheet" text={() => formatTable("tsv", columns, answer.rows)} />
        <CopyItem label="Copy as Markdown" text={() => formatTable("markdown", columns, answer.rows)} />
        <CopyItem label="Copy the query" text={() => sql.query.value ?? ""} />
        <button onClick={() => void save("csv")}>Save all rows as CSV</button>
        <button onClick={() => void save("tsv")}>Save all rows as TSV</button>
        <button onClick={() => void save("json")}>Save all rows as JSON</button>
      </div>
    </Menu>
  );
}

function CopyItem({ label, text }: { label: string; text: () => string }) {
  const { said, copy } = useCopy(text);
  return <button onClick={copy}>{said ?? label}</button>;
}
