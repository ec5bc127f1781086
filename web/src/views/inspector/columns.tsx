// The columns of the Inspector's tables.
import type { ComponentChildren } from "preact";
import { nameModule, parentsOf, shortOps } from "../../lib/etdump/records";
import type { WireBlock, WireEvent, WireModule, WireName, WireNumber } from "../../lib/etdump/wire";
import { formatCount } from "../../lib/text";
import { BlockTime } from "../parts/block-time";
import { Figure, Share } from "../parts/figure";
import { kNothing as nothing } from "../parts/list-view/field-column";
import { ShareBar } from "../parts/share-bar";
import type { Column } from "../parts/table";
import { repeatedEvents, type GapRow } from "./arrange";

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

export function eventColumns(block: WireBlock, rows: readonly WireEvent[]): Column<WireEvent>[] {
  const repeated = repeatedEvents(rows);
  const time = (id: "avg" | "p10" | "p50" | "p90" | "min" | "max", title: string): Column<WireEvent> => ({
    id,
    title,
    show: (row) => <BlockTime value={row[id]} block={block} />,
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
      title: "% of iteration",
      hint: "Of an iteration's time, with what lies in it",
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
      show: (row) => <BlockTime value={row.total} block={block} />,
      value: (row) => row.total,
    },
    {
      id: "self",
      title: "Self",
      hint: "Without what lies in it",
      show: (row) => <BlockTime value={row.self} block={block} />,
      value: (row) => row.self,
    },
    {
      id: "share",
      title: "% of iteration",
      hint: "Self, of an iteration's time",
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
    { id: "total", title: "Total", show: (row) => <BlockTime value={row.total} block={block} /> },
    {
      id: "self",
      title: "Self",
      hint: "What ran for the module itself, not for a module in it",
      show: (row) => <BlockTime value={row.self} block={block} />,
    },
    {
      id: "share",
      title: "% of iteration",
      hint: "Total, of an iteration's time",
      show: (row) => <Share of={row.share} />,
    },
    { id: "bar", title: "", show: (row) => <ShareBar of={row.share} /> },
    { id: "events", title: "Calls", hint: "Of its own", show: (row) => formatCount(row.events) },
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
