// The kernels with the most time on all devices together.
import { linkToKernels, linkToWorst, nameDevice, type WireKernels } from "../../lib/devices";
import { scopeOfKernel } from "../../lib/scope";
import { formatCount } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Duration, Share } from "../parts/figure";
import { kNothing } from "../parts/list-view/field-column";
import { Name } from "../parts/name";
import { ScopeButton } from "../parts/scope-button";
import { ShareBar } from "../parts/share-bar";
import { Table, type Column } from "../parts/table";
import { sumKernels, type KernelSum } from "./kernel-sums";

const kTop = 10;

export function TopKernels({ kernels: { devices, rows } }: { kernels: WireKernels }) {
  const { place } = useApp();
  const sums = sumKernels(rows);
  if (sums.length === 0) return null;
  const top = sums.slice(0, kTop);
  const hasPeaks = top.some(({ of_peak }) => of_peak !== null);
  const columns: Column<KernelSum>[] = [
    {
      id: "name",
      title: "Name",
      align: "left",
      isWide: true,
      namesOf: ({ most }) => [most.name ?? ""],
      show: ({ most }) => (
        <button
          class="link kernel-name"
          title={`Its longest launch, on ${nameDevice(most)}`}
          onClick={() => place.follow(linkToWorst(most))}
        >
          <Name name={most.name ?? ""} />
        </button>
      ),
    },
    ...(hasPeaks ? [] : [kLaunches]),
    { id: "total", title: "Total", hint: "Of all launches", show: (row) => <Duration ns={row.total_ns} /> },
    {
      id: "share",
      title: "% of work",
      hint: "Of the time of all kernels and copies, on all devices",
      show: (row) => <Share of={row.share} />,
    },
    { id: "bar", title: "", show: (row) => <ShareBar of={row.share} part={classOf(row)} /> },
    ...(hasPeaks ? kPeakColumns : []),
    {
      id: "scope",
      title: "",
      show: ({ most }) => <ScopeButton of="this kernel" change={scopeOfKernel(most, "name") ?? {}} />,
    },
  ];
  return (
    <section>
      <h3>
        {titleOf(sums)} <span class="of">most time first</span>
        <span class="ways">
          <button class="link" onClick={() => place.follow(linkToKernels("name"))}>
            all {formatCount(sums.length)} →
          </button>
          <button class="link" onClick={() => place.follow(linkToKernels("category"))}>
            by category
          </button>
          {devices.some(({ device }) => typeof device === "number") && (
            <button class="link" onClick={() => place.follow(linkToKernels("operator"))}>
              by operator
            </button>
          )}
        </span>
      </h3>
      <Table
        columns={columns}
        rows={top}
        keyOf={({ most }) => `${most.class} ${most.name}`}
        label="Kernels with the most time"
      />
    </section>
  );
}

const kLaunches: Column<KernelSum> = {
  id: "launches",
  title: "Launches",
  show: (row) => formatCount(row.launches),
};

function titleOf(sums: readonly KernelSum[]): string {
  const kernels = sums.filter(({ most }) => most.class === "kernel").length;
  return kernels === 0 ? "Copies" : kernels === sums.length ? "Kernels" : "Kernels and copies";
}

const classOf = ({ most }: KernelSum) =>
  most.communication ? "communication" : most.class === "kernel" ? "compute" : "memory";

const kPeakColumns: readonly Column<KernelSum>[] = [
  {
    id: "peak",
    title: "Of peak",
    hint: "Of the device's peak FLOP/s at its precision, or of its memory's bandwidth: of the limit that binds it",
    show: ({ of_peak }) => (of_peak === null ? kNothing : <Share of={of_peak} />),
  },
  {
    id: "bound",
    title: "Bound by",
    hint: "Which of the device's limits it would reach first",
    align: "left",
    show: ({ most }) => most.bound ?? kNothing,
  },
];
