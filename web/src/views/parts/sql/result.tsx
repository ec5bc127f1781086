// The answer: how many rows and how long it took, the chart where there is one, the rows.
import { useSignal } from "@preact/signals";
import { nameFile } from "../../../lib/file-name";
import { formatTable } from "../../../lib/table-text";
import { formatCount, formatPlural } from "../../../lib/text";
import { Blank } from "../blank";
import { useCopy } from "../copy-button";
import { Menu } from "../menu";
import { saveText } from "../save-file";
import { Table, type Column } from "../table";
import { chartOf, groupDigits, isId, isNumber, numberColumns, textOfValue } from "./answer";
import { AnswerChart } from "./chart";
import { kMostRows, type Outlook, type SqlState, type TextFormat } from "./state";
import type { WireRows, WireValue } from "./wire";

export function SqlResult({ sql }: { sql: SqlState }) {
  const answer = sql.answer.value;
  const problem = sql.problem.value;
  if (problem !== null) return <Refusal message={problem.message} where={problem.where} outlook={sql.outlook.value} />;
  if (sql.isWaiting.value)
    return (
      <p class="note" role="status">
        This query came with a link. It has not been run here: read it, then choose Run.
      </p>
    );
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

const kOutlooks: Record<Outlook, string> = {
  none: "",
  asksAgain: " The query is asked again, once, when the store is back.",
  gaveUp: " It was asked again and cut off again: run it when you think that it can be answered.",
};

function Refusal({ message, where, outlook }: { message: string; where: string | undefined; outlook: Outlook }) {
  const place = where !== undefined && /^line \d/.test(where) ? `${where}: ` : "";
  return (
    <p class="sql-problem" role="alert">
      {place}
      {message}
      {outlook !== "none" && "."}
      {kOutlooks[outlook]}
    </p>
  );
}

function Rows({ sql, answer }: { sql: SqlState; answer: WireRows }) {
  const chart = chartOf(answer);
  const go = (row: number) => sql.wayOf(row)?.go();
  const rows = answer.rows.map((_, at) => at);
  const unrecorded = answer.unrecorded ?? [];
  const hasWays = rows.some((row) => sql.wayOf(row) !== null);
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
        {unrecorded.map((text) => (
          <p class="note" key={text}>
            {text}
          </p>
        ))}
        {chart !== null && <AnswerChart chart={chart} onRow={go} />}
        {rows.length === 0 ? (
          unrecorded.length === 0 && <p class="dim note">No row fits.</p>
        ) : (
          <Table
            columns={columnsOf(sql, answer, hasWays)}
            rows={rows}
            keyOf={(row) => row}
            label="Result"
            onRow={hasWays ? go : undefined}
          />
        )}
      </div>
    </>
  );
}

function columnsOf(sql: SqlState, answer: WireRows, hasWays: boolean): Column<number>[] {
  const numeric = new Set(numberColumns(answer));
  const columns = answer.columns.map((title, at): Column<number> => ({
    id: `${at}`,
    title,
    ...(numeric.has(at) ? {} : { align: "left" as const }),
    show: (row) => <ShownValue value={answer.rows[row]![at]!} isId={isId(title)} />,
  }));
  if (!hasWays) return columns;
  const way: Column<number> = {
    id: "way",
    title: "",
    align: "left",
    show: (row) => {
      const found = sql.wayOf(row);
      if (found === null) return null;
      const title = `Go to ${found.to}`;
      return (
        <button
          class="link"
          title={title}
          aria-label={title}
          onClick={(event) => {
            event.stopPropagation();
            found.go();
          }}
        >
          →
        </button>
      );
    },
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

function Export({ sql, answer }: { sql: SqlState; answer: WireRows }) {
  const open = useSignal(false);
  const columns = answer.columns.map((id, at) => ({
    id,
    value: (row: WireValue[]) => {
      const value = row[at]!;
      return typeof value === "number" ? value : textOfValue(value);
    },
  }));
  const save = async (format: TextFormat) => {
    open.value = false;
    const text = await sql.fetchText(format);
    if (text !== null) saveText(`${nameFile("query")}.${format}`, kTypes[format], text);
  };
  return (
    <Menu open={open} label="Export" title="Export the result">
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
