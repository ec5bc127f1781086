// What ranks exchanged: how much, how fast, and who was waited for.
import type { ComponentChildren } from "preact";
import { formatRate, type WireCollective } from "../../lib/devices";
import { linkToEvent } from "../../lib/links";
import { formatCount, formatDuration, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Bytes, Duration, Figure } from "../parts/figure";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { ShapeTabs } from "./shape-tabs";
import type { KernelState } from "./state";

export function Collectives({ kernels }: { kernels: KernelState }) {
  const { value, problem } = kernels.collectives.value;
  const rows = value?.data.rows ?? [];
  // Columns of which no row has anything are left out.
  const all = useColumns(rows.some(({ seen_ranks }) => seen_ranks > 1));
  const columns = all.filter(({ value }) => value === undefined || rows.some((row) => value(row) !== null));
  return (
    <div class="kernels whole">
      <header class="kernels-head">
        <ShapeTabs kernels={kernels} />
        {value !== null && (
          <span class="dim">
            {formatPlural(
              rows.reduce((sum, { count }) => sum + count, 0),
              "collective",
            )}
          </span>
        )}
        <TableExport columns={textColumns(columns)} rows={rows} name="collectives" />
      </header>
      {problem !== null ? (
        <Blank title="The collectives cannot be shown" lines={[problem.message]} tone="broken" />
      ) : value === null ? (
        <Blank title="Finding what ranks exchanged" />
      ) : rows.length === 0 ? (
        <p class="dim note">No ranks exchanged anything in this capture.</p>
      ) : (
        <div class="scroll" data-scrolls tabIndex={0}>
          <Table columns={columns} rows={rows} keyOf={(_, at) => at} label="Collectives" />
          {rows.every(({ bytes }) => bytes === null) && (
            <p class="dim note">The capture does not tell how much was exchanged: PyTorch 2.2 and later record it.</p>
          )}
          {rows.every(({ seen_ranks }) => seen_ranks < 2) && (
            <p class="dim note">Who came last is told where the profiles of several ranks are opened as one capture.</p>
          )}
        </div>
      )}
    </div>
  );
}

const nothing = <span class="faint">·</span>;
const orNothing = <T,>(value: T | null, show: (value: T) => ComponentChildren) =>
  value === null ? nothing : show(value);
const rate = (value: number) => <Figure text={formatRate(value, "B/s")} exact={value} unit="B/s" />;

function useColumns(hasSkew: boolean): Column<WireCollective>[] {
  const { place } = useApp();
  const columns: Column<WireCollective>[] = [
    {
      id: "collective",
      title: "Collective",
      align: "left",
      show: (row) => (
        <span class="kernel-cell" title={row.name}>
          {row.collective.replaceAll("_", "-")} <span class="dim">{row.name}</span>
        </span>
      ),
      value: (row) => `${row.collective} ${row.name}`,
    },
    {
      id: "group",
      title: "Group",
      align: "left",
      show: (row) => row.group ?? nothing,
      value: (row) => row.group,
    },
    { id: "ranks", title: "Ranks", show: (row) => row.ranks ?? nothing, value: (row) => row.ranks },
    {
      id: "bytes",
      title: "Size",
      hint: "Of one: what goes in or comes out on a rank, the larger",
      show: (row) => orNothing(row.bytes, (bytes) => <Bytes bytes={bytes} />),
      value: (row) => row.bytes,
    },
    { id: "count", title: "Count", show: (row) => formatCount(row.count), value: (row) => row.count },
    {
      id: "transfer_ns",
      title: "Transfer",
      hint: "Of all of them, without waiting for other ranks as far as these are seen",
      show: (row) => <Duration ns={row.transfer_ns} />,
      value: (row) => row.transfer_ns,
    },
    {
      id: "algorithm",
      title: "Algorithm",
      hint: "Size by transfer time",
      show: (row) => orNothing(row.algorithm_bytes_per_s, rate),
      value: (row) => row.algorithm_bytes_per_s,
    },
    {
      id: "bus",
      title: "Bus",
      hint: "What goes over each rank's links, by NCCL's factors: to be held against the hardware",
      show: (row) => orNothing(row.bus_bytes_per_s, rate),
      value: (row) => row.bus_bytes_per_s,
    },
  ];
  if (!hasSkew) return columns;
  return [
    ...columns,
    {
      id: "skew_total_ns",
      title: "Waiting",
      hint: "How much longer the first rank was in it than the last, added up",
      show: (row) => orNothing(row.skew_total_ns, (ns) => <Duration ns={ns} />),
      value: (row) => row.skew_total_ns,
    },
    {
      id: "skew_max_ns",
      title: "Longest",
      show: (row) =>
        orNothing(row.skew_max_ns, (ns) => (
          <button class="link" title={`${ns} ns`} onClick={() => place.follow(linkToEvent(longestOf(row)))}>
            {formatDuration(ns)}
          </button>
        )),
      value: (row) => row.skew_max_ns,
    },
    {
      id: "last_rank",
      title: "Came last",
      align: "left",
      hint: "The rank that the others waited for most often",
      show: (row) => (row.last_rank === null ? nothing : `rank ${row.last_rank}, ${row.last_count} of ${row.count}`),
      value: (row) => row.last_rank,
    },
  ];
}

const longestOf = ({ most_skewed: { launches } }: WireCollective) =>
  launches.reduce((longest, launch) => (launch.dur_ns > longest.dur_ns ? launch : longest));
