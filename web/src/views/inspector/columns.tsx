// The columns of the Inspector's tables.
import type { ComponentChildren } from "preact";
import { formatCount } from "../../lib/text";
import { Duration, Figure, Share } from "../parts/figure";
import { kNothing as nothing } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";
import { inNanoseconds, nameModule, parentsOf, placeOf, repeatedEvents, type GapRow } from "./arrange";
import type { WireBlock, WireEvent, WireModule, WireName, WireNumber, WirePartition } from "./wire";

/** A figure in the block's unit. */
export function Time({ value, block }: { value: number | null; block: WireBlock }) {
  if (value === null) return nothing;
  const ns = inNanoseconds(value, block.unit);
  return ns === null ? (
    <Figure text={formatCount(value)} exact={value} unit="cycles" />
  ) : (
    <Duration ns={Math.floor(ns)} ps={Math.floor((ns % 1) * 1000)} />
  );
}

const shareOf = (value: number | null, whole: number) =>
  value === null || whole === 0 ? nothing : <Share of={value / whole} />;

function eventName(row: WireEvent, passes: boolean): ComponentChildren {
  return (
    <span class={row.is_delegated ? "inspector-part" : ""} title={row.name}>
      {row.is_delegated && typeof row.delegate_id === "number"
        ? `${row.delegate ?? "delegate"} #${row.name}`
        : row.name}
      {passes && <span class="dim"> pass {row.occurrence + 1}</span>}
    </span>
  );
}

function shortOps(ops: readonly string[]): string {
  const short = ops.map((op) => op.replace(/^aten\./, "").replace(/\.default$/, ""));
  return short.length <= 3 ? short.join(", ") : `${short.slice(0, 2).join(", ")} and ${short.length - 2} more`;
}

export function eventColumns(block: WireBlock, rows: readonly WireEvent[]): Column<WireEvent>[] {
  const repeated = repeatedEvents(rows);
  const time = (id: "avg" | "p10" | "p50" | "p90" | "min" | "max", title: string): Column<WireEvent> => ({
    id,
    title,
    show: (row) => <Time value={row[id]} block={block} />,
    value: (row) => row[id],
  });
  const spread = [
    time("p10", "p10"),
    time("p50", "Median"),
    time("p90", "p90"),
    time("min", "Shortest"),
    time("max", "Longest"),
  ];
  return [
    {
      id: "name",
      title: "Event",
      align: "left",
      show: (row) => eventName(row, repeated.has(`${row.name}@${row.instruction}`)),
      value: (row) => row.name,
    },
    {
      id: "instruction",
      title: "Instr.",
      hint: "The instruction of the program",
      show: (row) => row.instruction ?? nothing,
      value: (row) => row.instruction,
    },
    {
      id: "op_types",
      title: "Ops",
      align: "left",
      isFixed: true,
      show: (row) => (
        <span class="inspector-ops" title={row.op_types.join("\n")}>
          {row.op_types.length === 0 ? nothing : shortOps(row.op_types)}
          {(row.is_approximate || row.has_op_of_kernel) && row.op_types.length > 0 && (
            <span
              class="dim"
              title={
                row.is_approximate ? "Those of the whole call: the delegate does not say which" : "By the kernel's name"
              }
            >
              {" "}
              ≈
            </span>
          )}
        </span>
      ),
      value: (row) => row.op_types.join(" "),
    },
    {
      id: "delegate",
      title: "Delegate",
      align: "left",
      show: (row) => row.delegate ?? nothing,
      value: (row) => row.delegate,
    },
    time("avg", block.iterations > 1 ? "Mean" : "Time"),
    {
      id: "share",
      title: "Share",
      hint: "Of an iteration, with what lies in it",
      isFixed: true,
      show: (row) => shareOf(row.avg, block.whole),
      value: (row) => (row.avg === null || block.whole === 0 ? null : row.avg / block.whole),
    },
    ...(block.iterations > 1 ? spread : []),
  ];
}

export function nameColumns(block: WireBlock): Column<WireName>[] {
  return [
    {
      id: "name",
      title: "Name",
      align: "left",
      show: (row) => (
        <span title={row.name}>
          {row.is_delegated && /^\d+$/.test(row.name) ? `${row.delegate} #${row.name}` : row.name}
        </span>
      ),
      value: (row) => row.name,
    },
    {
      id: "delegate",
      title: "Delegate",
      align: "left",
      show: (row) => row.delegate || nothing,
      value: (row) => row.delegate,
    },
    {
      id: "calls",
      title: "Calls",
      hint: "In an iteration",
      show: (row) => formatCount(row.calls),
      value: (row) => row.calls,
    },
    {
      id: "total",
      title: "Total",
      show: (row) => <Time value={row.total} block={block} />,
      value: (row) => row.total,
    },
    {
      id: "self",
      title: "Self",
      hint: "Without what lies in it",
      show: (row) => <Time value={row.self} block={block} />,
      value: (row) => row.self,
    },
    {
      id: "share",
      title: "Share",
      hint: "Of an iteration, by self time",
      show: (row) =>
        row.has_own_clock ? (
          <span class="dim" title="Timed by the delegate's own clock">
            own clock
          </span>
        ) : (
          <Share of={row.share} />
        ),
      value: (row) => row.share,
    },
  ];
}

export function moduleColumns(block: WireBlock, rows: readonly WireModule[]): Column<WireModule>[] {
  const parents = parentsOf(rows);
  return [
    {
      id: "name",
      title: "Module",
      align: "left",
      show: (row) => (
        <span class="inspector-module" style={{ paddingLeft: `${row.depth * 16}px` }} title={row.name}>
          {nameModule(row.name, parents.get(row) ?? "")} <span class="dim">{row.type.split(".").slice(-1)[0]}</span>
        </span>
      ),
    },
    { id: "total", title: "Total", show: (row) => <Time value={row.total} block={block} /> },
    {
      id: "self",
      title: "Self",
      hint: "What runs for this module and for none in it alone",
      show: (row) => <Time value={row.self} block={block} />,
    },
    {
      id: "share",
      title: "Share",
      hint: "Of an iteration",
      show: (row) => (
        <span class="inspector-bar">
          <span style={{ width: `${Math.min(row.share, 1) * 60}px` }} />
          <Share of={row.share} />
        </span>
      ),
    },
    { id: "events", title: "Calls", hint: "Of its own", show: (row) => formatCount(row.events) },
  ];
}

const opCounts = (ops: Readonly<Record<string, number>>) =>
  Object.entries(ops).map(([op, count]) => (count === 1 ? shortOps([op]) : `${count} × ${shortOps([op])}`));

export function partitionColumns(block: WireBlock): Column<WirePartition>[] {
  return [
    {
      id: "partition",
      title: "Who",
      align: "left",
      show: (row) =>
        row.partition === null ? (
          <span class="dim">portable</span>
        ) : (
          <strong class="inspector-who">{`${row.delegate} ${row.partition}`}</strong>
        ),
      value: (row) => (row.partition === null ? "portable" : `${row.delegate} ${row.partition}`),
    },
    {
      id: "ops",
      title: "Ops",
      align: "left",
      isFixed: true,
      show: (row) => {
        const ops = opCounts(row.ops);
        return (
          <span class="inspector-ops" title={row.nodes.join("\n")}>
            {ops.length <= 3 ? ops.join(", ") : `${ops.slice(0, 2).join(", ")} and ${ops.length - 2} more`}
          </span>
        );
      },
      value: (row) => opCounts(row.ops).join(", "),
    },
    {
      id: "instruction",
      title: "Instr.",
      show: (row) => row.instruction ?? nothing,
      value: (row) => row.instruction,
    },
    { id: "total", title: "Time", show: (row) => <Time value={row.total} block={block} />, value: (row) => row.total },
    {
      id: "share",
      title: "Share",
      hint: "Of an iteration",
      show: (row) => (row.total === null ? nothing : <Share of={row.share} />),
    },
    {
      id: "place",
      title: "Stands",
      align: "left",
      hint: "The nearest calls of delegates that it reads of, and that read of it",
      show: (row) => placeOf(row) || nothing,
      value: placeOf,
    },
    {
      id: "why",
      title: "Why not delegated",
      align: "left",
      hint: "What the ETRecord's graph tells",
      show: (row) => <span title={row.why}>{row.why}</span>,
      value: (row) => row.why,
    },
  ];
}

const gapNumber = (value: number): string => {
  const kSmall = 1e-3;
  return value !== 0 && Math.abs(value) < kSmall ? value.toExponential(2) : value.toPrecision(3);
};
const gapText = (value: WireNumber | undefined) =>
  value === undefined ? nothing : typeof value === "string" ? value : <Figure text={gapNumber(value)} exact={value} />;

export function gapColumns(): Column<GapRow>[] {
  return [
    {
      id: "node",
      title: "Node",
      align: "left",
      show: (row) => (
        <span title={row.op}>
          {row.node}
          {row.output > 0 && <span class="dim"> output {row.output}</span>}
          {row.is_first_grown && <strong class="inspector-grown"> the error grows here</strong>}
        </span>
      ),
    },
    { id: "runtime", title: "Ran as", align: "left", show: (row) => row.runtime },
    ...["MSE", "L1", "SNR", "cosine", "max relative"].map((metric) => ({
      id: metric,
      title: metric,
      ...(metric === "SNR" ? { hint: "dB" } : {}),
      show: (row: GapRow) => gapText(row.metrics[metric]),
    })),
  ];
}
