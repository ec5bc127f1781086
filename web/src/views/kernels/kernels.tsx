// The table of kernels, the chosen one beside it, and the roofline.
import {
  formatRate,
  kKernelGroups,
  linkToWorst,
  nameDevice,
  nameKernel,
  type KernelGroup,
  type WireDevice,
  type WireKernel,
} from "../../lib/devices";
import { formatCount, formatPlural } from "../../lib/text";
import type { OpenView } from "../view";
import { AnsiText } from "../parts/ansi-text";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Duration, Figure, Share } from "../parts/figure";
import { Split } from "../parts/split";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { CallTree } from "./call-tree";
import { Collectives } from "./collectives";
import { KernelFilter } from "./kernel-filter";
import { KernelSide } from "./kernel-side";
import { Sequences } from "./sequences";
import { ShapeTabs } from "./shape-tabs";
import { createKernels, keyOfKernel, type KernelState } from "./state";
import "./kernels.css";

export const openKernels: OpenView = (app) => {
  const kernels = createKernels(app);
  return () => <Kernels kernels={kernels} />;
};

function Kernels({ kernels }: { kernels: KernelState }) {
  const shape = kernels.shape.value;
  if (shape === "tree") return <CallTree kernels={kernels} />;
  if (shape === "collectives") return <Collectives kernels={kernels} />;
  if (shape === "sequences") return <Sequences kernels={kernels} />;
  return <KernelTableAndSide kernels={kernels} />;
}

function KernelTableAndSide({ kernels }: { kernels: KernelState }) {
  useKernelKeys(kernels);
  const { value, problem } = kernels.fetched.value;
  if (problem !== null) return <Blank title="The kernels cannot be shown" lines={[problem.message]} tone="broken" />;
  if (value === null) return <Blank title="Adding up what the devices did" />;
  return (
    <Split
      left={null}
      leftLabel=""
      middle={<KernelTable kernels={kernels} />}
      right={<KernelSide kernels={kernels} />}
      rightLabel="the kernel and the roofline"
    />
  );
}

const kTitles: Record<KernelGroup, string> = {
  name: "by name",
  family: "by family",
  category: "by category",
  operator: "by operator",
  shapes: "by operator and shapes",
  module: "by module",
  stream: "by stream",
  device: "by device",
  rank: "by rank",
  step: "by step",
};

function KernelTable({ kernels }: { kernels: KernelState }) {
  const rows = kernels.rows.value;
  const group = kernels.rowsGroup.value;
  const isStale = group !== kernels.group.value;
  const { devices } = kernels.fetched.value.value!.data;
  const columns = columnsOf(group, rows, devices);
  // Where rates are known there is less room: what is left out is in the export.
  const hasRates = columns.some(({ id }) => id === "flop_per_s" || id === "bytes_per_s");
  const shown = columns.filter(({ id }) => !hasRates || (id !== "mean_ns" && id !== "p90_ns"));
  const { column, descending } = kernels.order.value;
  return (
    <div class="kernels">
      <header class="kernels-head">
        <ShapeTabs kernels={kernels} />
        <KernelFilter kernels={kernels} hint="Filter by name or device" />
        <select
          class="choice"
          aria-label="Add up"
          value={kernels.group.value}
          onChange={(event) => kernels.setGroup(event.currentTarget.value as KernelGroup)}
        >
          {kKernelGroups.map((each) => (
            <option key={each} value={each}>
              {kTitles[each]}
            </option>
          ))}
        </select>
        <span class="dim">
          {formatPlural(rows.length, "row")} ·{" "}
          {formatPlural(
            rows.reduce((n, r) => n + r.launches, 0),
            "launch",
            "launches",
          )}
        </span>
        <TableExport columns={textColumns(columns)} rows={rows} name={`kernels ${kTitles[group]}`} />
      </header>
      <div class={isStale ? "scroll stale" : "scroll"} aria-busy={isStale} data-scrolls tabIndex={0}>
        {rows.length === 0 ? (
          <p class="dim note">
            {kernels.text.value === "" ? "No device did any work in this capture." : "Nothing holds all these words."}
          </p>
        ) : (
          <Table
            columns={shown}
            rows={rows}
            keyOf={(row) => keyOfKernel(row, group)}
            label="Kernels"
            sort={{ column, descending, by: kernels.sortBy }}
            isCurrent={(row) => row === kernels.chosen.value}
            onRow={(row) => kernels.choose(row)}
          />
        )}
      </div>
    </div>
  );
}

/** A C++ function's type of result tells nothing. */
const shortName = (name: string) => name.replace(/^void /, "");

const nothing = <span class="faint">·</span>;
const percent = (value: number | null) => (value === null ? nothing : <Share of={value / 100} />);
const rate = (value: number | null, unit: string) =>
  value === null ? nothing : <Figure text={formatRate(value, unit)} exact={value} unit={unit} />;

/** Columns of which no row has a figure are left out. */
function columnsOf(
  group: KernelGroup,
  rows: readonly WireKernel[],
  devices: readonly WireDevice[],
): readonly Column<WireKernel>[] {
  const has = (key: keyof WireKernel) => rows.some((row) => row[key] !== null && row[key] !== undefined);
  const figure = (id: keyof WireKernel, title: string, hint?: string): Column<WireKernel> => ({
    id,
    title,
    ...(hint === undefined ? {} : { hint }),
    show: (row) => <Duration ns={row[id] as number} />,
    value: (row) => row[id] as number,
  });
  const shareOf = (id: keyof WireKernel, title: string, hint: string): Column<WireKernel> => ({
    id,
    title,
    hint,
    show: (row) => percent(row[id] as number | null),
    value: (row) => row[id] as number | null,
  });
  return [
    {
      id: "name",
      title: kTitles[group].replace("by ", ""),
      align: "left",
      show: (row) => (
        <span class="kernel-cell" title={nameKernel(row, group)}>
          <AnsiText text={shortName(nameKernel(row, group))} />
          {row.class !== undefined && row.class !== "kernel" && <span class="dim"> {row.class}</span>}
        </span>
      ),
      value: (row) => nameKernel(row, group),
    },
    ...(devices.length > 1 && group !== "device" && group !== "rank"
      ? [{ id: "device", title: "Device", align: "left" as const, show: nameDevice, value: nameDevice }]
      : []),
    {
      id: "launches",
      title: "Launches",
      show: (row) => <Figure text={formatCount(row.launches)} exact={row.launches} />,
      value: (row) => row.launches,
    },
    figure("total_ns", "Total"),
    shareOf("time_percent", "Share", "Of all work of its device"),
    figure("mean_ns", "Mean"),
    figure("median_ns", "Median"),
    figure("p90_ns", "p90", "Nine of ten launches took no longer"),
    figure("max_ns", "Longest"),
    ...(has("flop_per_s")
      ? [
          {
            id: "flop_per_s",
            title: "FLOP/s",
            hint: "Of the launches whose arithmetic is known",
            show: (row: WireKernel) => rate(row.flop_per_s, "FLOP/s"),
            value: (row: WireKernel) => row.flop_per_s,
          },
        ]
      : []),
    ...(has("achieved_flops_percent")
      ? [shareOf("achieved_flops_percent", "of peak", "Of the device's dense peak at this precision")]
      : []),
    ...(has("bytes_per_s")
      ? [
          {
            id: "bytes_per_s",
            title: "Bytes/s",
            hint: "Each input read once, each output written once",
            show: (row: WireKernel) => rate(row.bytes_per_s, "B/s"),
            value: (row: WireKernel) => row.bytes_per_s,
          },
        ]
      : []),
    ...(has("achieved_bandwidth_percent")
      ? [shareOf("achieved_bandwidth_percent", "of peak ", "Of the device's memory bandwidth")]
      : []),
    ...(has("bound")
      ? [
          {
            id: "bound",
            title: "Bound",
            align: "left" as const,
            isFixed: true,
            hint: "Which of the device's limits it would reach first",
            show: (row: WireKernel) => row.bound ?? nothing,
            value: (row: WireKernel) => row.bound,
          },
        ]
      : []),
  ];
}

function useKernelKeys(kernels: KernelState): void {
  const { place } = useApp();
  const move = (by: number) => {
    const rows = kernels.rows.value;
    const at = rows.findIndex((row) => row === kernels.chosen.value);
    const next = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next !== undefined) kernels.choose(next);
  };
  useCommand("kernels.previous", () => move(-1));
  useCommand("kernels.next", () => move(1));
  useCommand("kernels.worst", () => {
    const row = kernels.chosen.value;
    if (row !== null) place.follow(linkToWorst(row));
  });
  useCommand("page.clear", () => kernels.choose(null));
}
