// The numeric gap and the table of all values, the chosen one beside them.
import { formatCount, formatPlural } from "../../lib/text";
import { Blank } from "../parts/blank";
import { Split } from "../parts/split";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import type { OpenView } from "../view";
import { createValues, type ValueState } from "./state";
import { TensorSide } from "./tensor-side";
import {
  formatShape,
  formatValue,
  toNumber,
  type WireGap,
  type WireNumber,
  type WireValue,
  type WireValues,
} from "./wire";
import "./values.css";

export const openValues: OpenView = (app) => {
  const values = createValues(app);
  return () => <Values values={values} />;
};

function Values({ values }: { values: ValueState }) {
  const { value, problem } = values.list.value;
  if (problem !== null) return <Blank title="The values cannot be shown" lines={[problem.message]} tone="broken" />;
  if (value === null) return <Blank title="Reading the values" />;
  if (value.data.values.length === 0 && value.data.iteration === 0) {
    return (
      <Blank
        title="No values were logged"
        lines={["Run the program with debug events on, and give vizd the debug buffer: --debug-buffer FILE"]}
      />
    );
  }
  return (
    <Split
      left={null}
      leftLabel=""
      middle={
        <div class="values scroll" data-scrolls tabIndex={0}>
          <Choices values={values} data={value.data} />
          <Gaps values={values} data={value.data} />
          <Logged values={values} data={value.data} />
        </div>
      }
      right={<TensorSide values={values} />}
      rightLabel="the value"
    />
  );
}

interface PartProps {
  values: ValueState;
  data: WireValues;
}

/** Which iteration, and what it is compared with: where there is more than one of either. */
function Choices({ values, data }: PartProps) {
  const iterations = Math.max(...data.blocks.map((block) => block.iterations));
  const others = values.others.value;
  const shown = values.shown.value;
  if (iterations < 2 && others.length === 0) return null;
  const at = values.iteration.value;
  const go = (to: number) => values.chooseIteration(Math.min(Math.max(to, 0), iterations - 1));
  return (
    <header class="values-choices">
      {iterations > 1 && (
        <span class="values-slices">
          <span class="dim">Iteration</span>
          <button class="pill" aria-label="Iteration before" disabled={at === 0} onClick={() => go(at - 1)}>
            ‹
          </button>
          <input
            class="values-iteration"
            type="number"
            aria-label="Iteration"
            min={0}
            max={iterations - 1}
            value={at}
            onChange={(event) => go(Math.trunc(Number(event.currentTarget.value)))}
          />
          <button class="pill" aria-label="Iteration after" disabled={at >= iterations - 1} onClick={() => go(at + 1)}>
            ›
          </button>
          <span class="dim">of {formatCount(iterations)}, from 0</span>
        </span>
      )}
      <label>
        <span class="dim">Compare with</span>
        <select
          class="choice"
          aria-label="Compare with"
          value={values.against.value?.name ?? ""}
          onChange={(event) => values.compareWith(event.currentTarget.value)}
        >
          <option value="">the reference</option>
          {iterations > 1 && shown !== null && <option value={shown.name}>its first iteration</option>}
          {others.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}

type NumberKey = "mse" | "l1" | "snr" | "cosine" | "max_relative" | "relative_error";

const gapFigure = (id: NumberKey, title: string, hint: string): Column<WireGap> => ({
  id,
  title,
  hint,
  show: (row) => <span title={String(row[id])}>{formatValue(row[id])}</span>,
  value: (row) => row[id],
});

/** The node, or where no ETRecord tells it the instruction. */
const nameOfGap = ({ node, instruction }: WireGap) =>
  node !== "" ? node : instruction < 0 ? "" : `instruction ${instruction}`;

const gapColumns: readonly Column<WireGap>[] = [
  {
    id: "node",
    title: "Node",
    align: "left",
    show: (row) => (
      <>
        <span class="mono">{nameOfGap(row)}</span>
        {row.output > 0 && row.op !== "" && <span class="dim"> output {row.output}</span>}
        {row.occurrence > 0 && <span class="dim"> pass {row.occurrence + 1}</span>}{" "}
        {row.is_first_grown && <span class="values-mark">error grows here</span>}
      </>
    ),
    value: (row) => row.node,
  },
  {
    id: "event",
    title: "Runtime",
    align: "left",
    show: (row) => <span class="dim">{row.event}</span>,
    value: (row) => row.event,
  },
  {
    id: "shape",
    title: "Shape",
    align: "left",
    show: (row) => formatShape(row.shape),
    value: (row) => row.shape.join("x"),
  },
  gapFigure("relative_error", "Relative", "Root of the mean squared error, over the reference's"),
  gapFigure("mse", "MSE", "Mean squared error"),
  gapFigure("l1", "L1", "Sum of all distances"),
  gapFigure("snr", "SNR, dB", "Signal to noise; ∞ where both are equal"),
  gapFigure("cosine", "Cosine", "1 where both point the same way"),
  gapFigure("max_relative", "Max relative", "The greatest distance over the reference's element"),
];

const nameOfBlock = ({ name, bundled_input: input }: WireValues["blocks"][number]) =>
  input < 0 ? name : `${name} · input ${input}`;

/** With the block, where gaps are of several. */
function gapColumnsOf({ blocks, gaps }: WireValues): readonly Column<WireGap>[] {
  if (new Set(gaps.map(({ block }) => block)).size < 2) return gapColumns;
  const block: Column<WireGap> = {
    id: "block",
    title: "Block",
    align: "left",
    show: (row) => <span class="dim">{nameOfBlock(blocks[row.block]!)}</span>,
    value: (row) => row.block,
  };
  return [gapColumns[0]!, block, ...gapColumns.slice(1)];
}

/** A link to the graph, where the record tells the node. */
function GrownNode({ values, gap }: { values: ValueState; gap: WireGap }) {
  if (gap.node === "" || gap.op === "") return <code>{nameOfGap(gap)}</code>;
  return (
    <button class="link mono" onClick={() => values.goToGraph(gap.node)}>
      {gap.node}
    </button>
  );
}

const HowToCompare = () => (
  <p class="dim note">
    To compare what each event logged, give the reference's tensors, a .npy for each debug handle: --reference-tensors
    FOLDER
  </p>
);

function Gaps({ values, data }: PartProps) {
  if (data.gaps.length === 0) {
    return (
      <section>
        <h2>Numeric gap</h2>
        {data.has_reference ? <p class="dim note">There is nothing that both logged.</p> : <HowToCompare />}
        <NotCompared data={data} />
      </section>
    );
  }
  const columns = gapColumnsOf(data);
  const grown = data.gaps.filter((gap) => gap.is_first_grown);
  const worst = data.gaps.reduce((a, b) => (toNumber(b.relative_error) > toNumber(a.relative_error) ? b : a));
  return (
    <section>
      <h2>
        Numeric gap <span class="dim">{formatPlural(data.gaps.length, "output")} compared</span>
        <TableExport columns={textColumns(columns)} rows={data.gaps} name="numeric gap" />
      </h2>
      <p class="note">
        {grown.length === 0 && toNumber(worst.relative_error) === 0 ? (
          "All of them are equal."
        ) : grown.length === 0 ? (
          <>
            Nowhere does the error grow beyond rounding. It is greatest at <code>{nameOfGap(worst)}</code>:{" "}
            {formatValue(worst.relative_error)} of the reference.
          </>
        ) : (
          grown.map((gap) => (
            <span class="values-grown" key={`${gap.block}.${gap.instruction}.${gap.output}`}>
              The error first grows at <GrownNode values={values} gap={gap} />: {formatValue(gap.relative_error)} of{" "}
              {values.against.value === null ? "the reference" : "the other run"}
              {grown.length > 1 && <span class="dim"> · {nameOfBlock(data.blocks[gap.block]!)}</span>}
            </span>
          ))
        )}
      </p>
      <Table
        columns={columns}
        rows={data.gaps}
        keyOf={(row) => `${row.block}.${row.instruction}.${row.occurrence}.${row.event}.${row.node}.${row.output}`}
        label="Numeric gap"
        isCurrent={(row) => row.value !== null && row.value === values.chosen.value}
        onRow={(row) => row.value !== null && values.choose(row.value)}
      />
      {!data.has_reference && <HowToCompare />}
      <NotCompared data={data} />
    </section>
  );
}

function NotCompared({ data }: { data: WireValues }) {
  if (data.not_compared.length === 0) return null;
  return (
    <details class="note">
      <summary>{formatPlural(data.not_compared.length, "output")} not compared</summary>
      {data.not_compared.map((why) => (
        <p key={why}>{why}</p>
      ))}
    </details>
  );
}

const figure = (id: "min" | "max" | "mean", title: string): Column<WireValue> => ({
  id,
  title,
  show: (row) => formatValue(row[id]),
  value: (row) => row[id] as WireNumber | null,
});
const count = (id: "nan" | "inf", title: string): Column<WireValue> => ({
  id,
  title,
  show: (row) => (row[id] === 0 ? <span class="faint">0</span> : <strong class="removed">{row[id]}</strong>),
  value: (row) => row[id],
});

function columnsOf({ blocks }: WireValues): readonly Column<WireValue>[] {
  const logging = new Set(blocks.map(({ name, bundled_input }) => `${name} ${bundled_input}`));
  const block: Column<WireValue> = {
    id: "block",
    title: "Block",
    align: "left",
    show: ({ block: at }) => {
      return <span class="dim">{nameOfBlock(blocks[at]!)}</span>;
    },
    value: ({ block: at }) => blocks[at]!.name,
  };
  return [
    {
      id: "event",
      title: "Event",
      align: "left",
      show: (row) => <span class="mono">{row.event}</span>,
      value: (row) => row.event,
    },
    ...(logging.size > 1 ? [block] : []),
    { id: "argument", title: "Value", show: (row) => row.argument, value: (row) => row.argument },
    { id: "dtype", title: "Type", align: "left", show: (row) => row.dtype, value: (row) => row.dtype },
    {
      id: "shape",
      title: "Shape",
      align: "left",
      show: (row) => formatShape(row.shape),
      value: (row) => row.shape.join("x"),
    },
    figure("min", "Min"),
    figure("max", "Max"),
    figure("mean", "Mean"),
    count("nan", "NaN"),
    count("inf", "Inf"),
  ];
}

function Logged({ values, data }: PartProps) {
  const columns = columnsOf(data);
  if (data.values.length === 0) return <p class="dim note">Nothing was logged in this iteration.</p>;
  return (
    <section>
      <h2>
        Logged values <span class="dim">{formatPlural(data.values.length, "tensor")}</span>
        <TableExport columns={textColumns(columns)} rows={data.values} name="logged values" />
      </h2>
      <Table
        columns={columns}
        rows={data.values}
        keyOf={(row) => data.values.indexOf(row)}
        label="Logged values"
        isCurrent={(row) => data.values.indexOf(row) === values.chosen.value}
        onRow={(row) => values.choose(data.values.indexOf(row))}
      />
    </section>
  );
}
