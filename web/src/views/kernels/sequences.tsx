// Kernels that follow one another on a stream again and again: candidates for fusion.
import { useSignal } from "@preact/signals";
import type { WireSequence } from "../../lib/devices";
import { linkToEvent } from "../../lib/links";
import { stripAnsi } from "../../lib/ansi";
import { formatCount, formatDuration, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { AnsiText } from "../parts/ansi-text";
import { Blank } from "../parts/blank";
import { Duration } from "../parts/figure";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { KernelFilter } from "./kernel-filter";
import { ShapeTabs } from "./shape-tabs";
import type { KernelState } from "./state";

export function Sequences({ kernels }: { kernels: KernelState }) {
  const { value, problem } = kernels.sequences.value;
  const onlyCandidates = useSignal(false);
  const columns = useColumns();
  const words = kernels.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = (value?.data.rows ?? []).filter(
    (row) =>
      (row.fusion_candidate || !onlyCandidates.value) &&
      words.every((word) => row.kernels.some((name) => name.toLowerCase().includes(word))),
  );
  return (
    <div class="kernels whole sequences">
      <header class="kernels-head">
        <ShapeTabs kernels={kernels} />
        <KernelFilter kernels={kernels} hint="Filter by kernel" />
        <button
          class={onlyCandidates.value ? "pill on" : "pill"}
          aria-pressed={onlyCandidates.value}
          title="Without products, convolutions and attention: kernels that memory holds up"
          onClick={() => (onlyCandidates.value = !onlyCandidates.value)}
        >
          Only candidates for fusion
        </button>
        {value !== null && <span class="dim">{formatPlural(rows.length, "sequence")}</span>}
        <TableExport columns={textColumns(columns)} rows={rows} name="kernel sequences" />
      </header>
      {problem !== null ? (
        <Blank title="The sequences cannot be shown" lines={[problem.message]} tone="broken" />
      ) : value === null ? (
        <Blank title="Finding what follows what" />
      ) : rows.length === 0 ? (
        <p class="dim note">
          {value.data.rows.length === 0 ? "No kernels follow one another three times." : "No such sequence."}
        </p>
      ) : (
        <div class="scroll" data-scrolls tabIndex={0}>
          <Table columns={columns} rows={rows} keyOf={(row) => row.kernels.join("\n")} label="Sequences of kernels" />
        </div>
      )}
    </div>
  );
}

function useColumns(): Column<WireSequence>[] {
  const { place } = useApp();
  return [
    {
      id: "kernels",
      title: "Kernels",
      align: "left",
      show: (row) => (
        <ol class="sequence">
          {row.kernels.map((name, at) => (
            <li key={at} title={stripAnsi(name)}>
              <AnsiText text={name.replace(/^void /, "")} />
            </li>
          ))}
        </ol>
      ),
      value: (row) => row.kernels.map(stripAnsi).join(" > "),
    },
    { id: "count", title: "Count", show: (row) => formatCount(row.count), value: (row) => row.count },
    {
      id: "total",
      title: "Time",
      hint: "Of the kernels, and between them",
      show: (row) => <Duration ns={row.total_ns + row.between_ns} />,
      value: (row) => row.total_ns + row.between_ns,
    },
    {
      id: "between",
      title: "Between",
      hint: "Between the kernels, where nothing of the stream ran: what one kernel would save at least",
      show: (row) => <Duration ns={row.between_ns} />,
      value: (row) => row.between_ns,
    },
    {
      id: "longest",
      title: "Longest",
      show: (row) => (
        <button class="link" title={`${row.longest_ns} ns`} onClick={() => place.follow(linkToSequence(row))}>
          {formatDuration(row.longest_ns)}
        </button>
      ),
      value: (row) => row.longest_ns,
    },
    {
      id: "candidate",
      title: "Fusion",
      align: "left",
      hint: "No product, convolution or attention is among them",
      show: (row) => (row.fusion_candidate ? "candidate" : <span class="faint">·</span>),
      value: (row) => (row.fusion_candidate ? "candidate" : null),
    },
  ];
}

/** To its first kernel, with all of the sequence in view. */
const linkToSequence = ({ first, longest_ns }: WireSequence) =>
  linkToEvent({ ...first, name: stripAnsi(first.name), dur_ns: Math.max(first.dur_ns, longest_ns) });
