// The numeric gap and the table of all values, the chosen one beside them.
import { formatPlural } from "../../lib/text";
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
  if (value.data.values.length === 0) {
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

type NumberKey = "mse" | "l1" | "snr" | "cosine" | "max_relative" | "relative_error";

const gapFigure = (id: NumberKey, title: string, hint: string): Column<WireGap> => ({
  id,
  title,
  hint,
  show: (row) => <span title={String(row[id])}>{formatValue(row[id])}</span>,
  value: (row) => row[id],
});

const gapColumns: readonly Column<WireGap>[] = [
  {
    id: "node",
    title: "Node",
    align: "left",
    show: (row) => (
      <>
        <span class="mono">{row.node}</span> {row.is_first_grown && <span class="values-mark">error grows here</span>}
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
        <HowToCompare />
      </section>
    );
  }
  const grown = data.gaps.filter((gap) => gap.is_first_grown);
  const worst = data.gaps.reduce((a, b) => (toNumber(b.relative_error) > toNumber(a.relative_error) ? b : a));
  return (
    <section>
      <h2>
        Numeric gap <span class="dim">{formatPlural(data.gaps.length, "output")} compared</span>
        <TableExport columns={textColumns(gapColumns)} rows={data.gaps} name="numeric gap" />
      </h2>
      <p class="note">
        {grown.length === 0 ? (
          <>
            Nowhere does the error grow beyond rounding. It is greatest at <code>{worst.node}</code>:{" "}
            {formatValue(worst.relative_error)} of the reference.
          </>
        ) : (
          <>
            The error first grows at{" "}
            <button class="link mono" onClick={() => values.goToGraph(grown[0]!.node)}>
              {grown[0]!.node}
            </button>
            : {formatValue(grown[0]!.relative_error)} of the reference.
          </>
        )}
      </p>
      <Table
        columns={gapColumns}
        rows={data.gaps}
        keyOf={(row) => `${row.block}.${row.instruction}.${row.node}.${row.output}`}
        label="Numeric gap"
        isCurrent={(row) => row.value !== null && row.value === values.chosen.value}
        onRow={(row) => row.value !== null && values.choose(row.value)}
      />
      {!data.has_reference && <HowToCompare />}
      {data.not_compared.length > 0 && (
        <details class="note">
          <summary>{formatPlural(data.not_compared.length, "output")} not compared</summary>
          {data.not_compared.map((why) => (
            <p key={why}>{why}</p>
          ))}
        </details>
      )}
    </section>
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
      const { name, bundled_input: input } = blocks[at]!;
      return <span class="dim">{input < 0 ? name : `${name} · input ${input}`}</span>;
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
