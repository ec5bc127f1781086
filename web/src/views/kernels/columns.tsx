// The columns of the table of kernels.
import { nameDevice, nameKernel, type KernelGroup, type WireDevice, type WireKernel } from "../../lib/devices";
import { AnsiText } from "../parts/ansi-text";
import { fieldColumn, withoutEmpty } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";

export const kTitles: Record<KernelGroup, string> = {
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

/** Columns of limits are left out where no row comes near any. */
export function kernelColumns(
  group: KernelGroup,
  rows: readonly WireKernel[],
  devices: readonly WireDevice[],
): readonly Column<WireKernel>[] {
  const hasDevice = devices.length > 1 && group !== "device" && group !== "rank";
  return [nameColumn(group), ...(hasDevice ? [kDevice] : []), ...kFigures, ...withoutEmpty(kLimits, rows)];
}

/** The type of a C++ function's result tells nothing. */
const shortName = (name: string) => name.replace(/^void /, "");

const nameColumn = (group: KernelGroup): Column<WireKernel> => ({
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
});

const kDevice: Column<WireKernel> = {
  id: "device",
  title: "Device",
  align: "left",
  show: nameDevice,
  value: nameDevice,
};

const kFigures: readonly Column<WireKernel>[] = [
  fieldColumn("launches", { title: "Launches", unit: "" }),
  fieldColumn("total_ns", { title: "Total", unit: "ns" }),
  fieldColumn("time_percent", { title: "Share", unit: "%", hint: "Of all work of its device" }),
  fieldColumn("mean_ns", { title: "Mean", unit: "ns" }),
  fieldColumn("median_ns", { title: "Median", unit: "ns" }),
  fieldColumn("p90_ns", { title: "p90", unit: "ns", hint: "Nine of ten launches took no longer" }),
  fieldColumn("max_ns", { title: "Longest", unit: "ns" }),
];

const kLimits: readonly Column<WireKernel>[] = [
  fieldColumn("flop_per_s", { title: "FLOP/s", unit: "FLOP/s", hint: "Of the launches whose arithmetic is known" }),
  fieldColumn("achieved_flops_percent", {
    title: "of peak",
    unit: "%",
    hint: "Of the device's dense peak at this precision",
  }),
  fieldColumn("bytes_per_s", { title: "Bytes/s", unit: "B/s", hint: "Each input read once, each output written once" }),
  fieldColumn("achieved_bandwidth_percent", {
    title: "of peak ",
    unit: "%",
    hint: "Of the device's memory bandwidth",
  }),
  fieldColumn(
    "bound",
    { title: "Bound", unit: "text", hint: "Which of the device's limits it would reach first" },
    { isFixed: true },
  ),
];
