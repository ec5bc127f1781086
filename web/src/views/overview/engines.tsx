// The engines of a TPU: how long each worked, how much of that beside a transfer, how much it moved and how fast, and
// what it waited for. The figures are the server's.
import { formatCount } from "../../lib/text";
import { formatRate } from "../../lib/devices";
import { Bytes, Duration, Figure, Share } from "../parts/figure";
import { ShareBar } from "../parts/share-bar";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import type { EngineRow } from "./engine-rows";

const rate = (perSecond: number | null) =>
  perSecond === null ? "" : <Figure text={formatRate(perSecond, "B/s")} exact={perSecond} unit="B/s" />;
const duration = (ns: number) => (ns === 0 ? <span class="faint">·</span> : <Duration ns={Math.round(ns)} />);

const kColumns: Column<EngineRow>[] = [
  { id: "core", title: "Core", align: "left", show: ({ core }) => core, value: ({ core }) => core },
  { id: "engine", title: "Engine", align: "left", show: ({ engine }) => engine, value: ({ engine }) => engine },
  {
    id: "commands",
    title: "Commands",
    hint: "Without messages between engines",
    show: ({ commands }) => <Figure text={formatCount(commands)} exact={commands} />,
    value: ({ commands }) => commands,
  },
  {
    id: "busy",
    title: "% of device's time",
    hint: "How much of the device's whole time it was busy",
    show: ({ busy }) => <Share of={busy} />,
    value: ({ busy }) => busy,
  },
  {
    id: "bar",
    title: "",
    show: ({ engine, busy }) => <ShareBar of={busy} part={engine === "TIU" ? "compute" : "memory"} />,
  },
  { id: "busy_ns", title: "Busy", show: ({ busy_ns }) => duration(busy_ns), value: ({ busy_ns }) => busy_ns },
  {
    id: "beside",
    title: "% overlapped",
    hint: "Of the time in which it computed: how much a transfer of the same core ran too",
    show: ({ beside }) => (beside === null ? "" : <Share of={beside} />),
    value: ({ beside }) => beside ?? "",
  },
  {
    id: "message",
    title: "Waited for messages",
    show: (row) => duration(row.waited_message_ns),
    value: (row) => row.waited_message_ns,
  },
  {
    id: "command",
    title: "… for a command",
    hint: "Waited for a command of another engine, which its next command names",
    show: (row) => duration(row.waited_command_ns),
    value: (row) => row.waited_command_ns,
  },
  {
    id: "other",
    title: "… for what is not recorded",
    hint: "Idle between its commands, where nothing recorded says what it waited for",
    show: (row) => duration(row.waited_other_ns),
    value: (row) => row.waited_other_ns,
  },
  {
    id: "bytes",
    title: "Moved",
    show: ({ bytes }) => (bytes === null ? "" : <Bytes bytes={bytes} />),
    value: ({ bytes }) => bytes ?? "",
  },
  {
    id: "ddr",
    title: "DDR",
    hint: "While a transfer to or from DDR ran",
    show: (row) => rate(row.ddr_per_s),
    value: (row) => row.ddr_per_s ?? "",
  },
  {
    id: "l2",
    title: "L2",
    hint: "While a transfer to or from L2 ran",
    show: (row) => rate(row.l2_per_s),
    value: (row) => row.l2_per_s ?? "",
  },
];

export function Engines({ rows }: { rows: readonly EngineRow[] }) {
  return (
    <section class="overview-whole">
      <h3>Engines</h3>
      <div class="overview-scroll" tabIndex={0}>
        <Table columns={kColumns} rows={rows} keyOf={({ core, engine }) => `${core} ${engine}`} label="Engines" />
      </div>
      <TableExport name="engines" columns={textColumns(kColumns)} rows={rows} />
    </section>
  );
}
