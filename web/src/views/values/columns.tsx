// The columns of the values' two tables: the numeric gap, and what was logged.
import type { Column } from "../parts/table";
import { formatShape, formatValue, type WireGap, type WireNumber, type WireValue, type WireValues } from "./wire";

type NumberKey = "mse" | "l1" | "snr" | "cosine" | "max_relative" | "relative_error";

const gapFigure = (id: NumberKey, title: string, hint: string): Column<WireGap> => ({
  id,
  title,
  hint,
  show: (row) => <span title={String(row[id])}>{formatValue(row[id])}</span>,
  value: (row) => row[id],
});

/** The node, or where no ETRecord tells it the instruction. */
export const nameOfGap = ({ node, instruction }: WireGap) =>
  node !== "" ? node : instruction < 0 ? "" : `instruction ${instruction}`;

const kGapColumns: readonly Column<WireGap>[] = [
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
  gapFigure(
    "relative_error",
    "Relative error",
    "Root of the mean squared error, over the root mean square of the reference",
  ),
  gapFigure("mse", "MSE", "Mean squared error"),
  gapFigure("l1", "L1", "Sum of all distances"),
  gapFigure("snr", "SNR, dB", "Signal to noise; ∞ where both are equal"),
  gapFigure("cosine", "Cosine", "1 where both point the same way"),
  gapFigure("max_relative", "Max relative", "The greatest distance over the reference's element"),
];

export const nameOfBlock = ({ name, bundled_input: input }: WireValues["blocks"][number]) =>
  input < 0 ? name : `${name} · input ${input}`;

/** With the block, where gaps are of several. */
export function gapColumns({ blocks, gaps }: WireValues): readonly Column<WireGap>[] {
  if (new Set(gaps.map(({ block }) => block)).size < 2) return kGapColumns;
  const block: Column<WireGap> = {
    id: "block",
    title: "Block",
    align: "left",
    show: (row) => <span class="dim">{nameOfBlock(blocks[row.block]!)}</span>,
    value: (row) => row.block,
  };
  return [kGapColumns[0]!, block, ...kGapColumns.slice(1)];
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

export function loggedColumns({ blocks }: WireValues): readonly Column<WireValue>[] {
  const logging = new Set(blocks.map(({ name, bundled_input }) => `${name} ${bundled_input}`));
  const block: Column<WireValue> = {
    id: "block",
    title: "Block",
    align: "left",
    show: ({ block: at }) => <span class="dim">{nameOfBlock(blocks[at]!)}</span>,
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
