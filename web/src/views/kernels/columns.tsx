// The columns of the table of kernels.
import { kKernelFields } from "../../lib/device-fields";
import { nameDevice, nameKernel, type KernelGroup, type WireDevice, type WireKernel } from "../../lib/devices";
import { fieldColumn, fieldColumns, withoutEmpty } from "../parts/list-view/field-column";
import { Name } from "../parts/name";
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
  const all = group === "operator" || group === "shapes" ? kCallFigures : kFigures;
  const figures = devices.length > 1 ? all.map((column) => ofEach(group, column)) : all;
  const shown = [...figures.slice(0, -4), ...withoutEmpty(kStake, rows), ...figures.slice(-4)];
  return [nameColumn(group), ...(hasDevice ? [kDevice] : []), ...shown, ...withoutEmpty(kLimits, rows)];
}

const nameColumn = (group: KernelGroup): Column<WireKernel> => ({
  id: "name",
  title: kTitles[group].replace("by ", ""),
  align: "left",
  namesOf: (row) => [nameKernel(row, group)],
  show: (row) => (
    <span class="kernel-cell">
      <Name name={nameKernel(row, group)} />
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

const kFigures = fieldColumns<WireKernel>(kKernelFields, [
  "launches",
  "total_ns",
  "time_percent",
  "mean_ns",
  "median_ns",
  "p90_ns",
  "max_ns",
]);

/** For operators the figures are per call: what it launched, each kind by itself. */
const kCallFigures = fieldColumns<WireKernel>(kKernelFields, [
  "calls",
  "kernel_launches",
  "memcpy_launches",
  "memset_launches",
  "total_ns",
  "time_percent",
  "call_mean_ns",
  "call_median_ns",
  "call_p90_ns",
  "call_max_ns",
]);

/** Where rows are of several devices or ranks, shares are of as many wholes. */
const ofEach = (group: KernelGroup, column: Column<WireKernel>): Column<WireKernel> =>
  column.id !== "time_percent" ? column : { ...column, title: `% of ${group === "rank" ? "rank" : "device"}'s work` };

const kStake = fieldColumns<WireKernel>(kKernelFields, ["at_stake_ns"]);

const kLimits: readonly Column<WireKernel>[] = [
  ...fieldColumns<WireKernel>(kKernelFields, [
    "flop_per_s",
    "flop_percent",
    "bytes_per_s",
    "bytes_percent",
    "known_of",
    "overcounted",
    "work_from",
    "attention",
    "copied_per_s",
    "host_memory",
  ]),
  fieldColumn("bound", kKernelFields.bound, { isFixed: true }),
];
