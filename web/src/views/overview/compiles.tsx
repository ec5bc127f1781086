// What torch.compile did while the profiler ran: the compiler at work, and what it made.
import { kCompileFields } from "../../lib/device-fields";
import { linkToWorst, type WireCompile } from "../../lib/devices";
import { useApp } from "../parts/app-context";
import { fieldColumns } from "../parts/list-view/field-column";
import { Table, type Column } from "../parts/table";

/** As many are listed; the terminal has the others. */
const kMost = 12;

export function Compiles({ rows }: { rows: readonly WireCompile[] }) {
  const { place } = useApp();
  if (rows.length === 0) return null;
  const columns: Column<WireCompile>[] = [
    {
      id: "compile",
      title: "What",
      hint: kCompileFields.compile.hint,
      align: "left",
      show: (row) => (
        <button class="link" title="To the longest of them" onClick={() => place.follow(linkToWorst(row))}>
          {row.compile}
        </button>
      ),
    },
    {
      id: "id",
      title: "Which",
      hint: kCompileFields.id.hint,
      align: "left",
      isWide: true,
      show: ({ id }) => <span class="kernel-name">{id}</span>,
    },
    ...fieldColumns<WireCompile>(kCompileFields, ["count", "total_ns", "max_ns"]),
  ];
  const again = rows.filter(({ compile }) => compile === "recompile").reduce((sum, { count }) => sum + count, 0);
  const says = rows[0]!.is_compiling
    ? again > 0
      ? `compiled again: ${again}`
      : "nothing was compiled again, as far as the trace tells"
    : "nothing was compiled while this was recorded";
  return (
    <section class="compiles">
      <h3>
        torch.compile <span class="of">{says}</span>
      </h3>
      <Table
        columns={columns}
        rows={rows.slice(0, kMost)}
        keyOf={({ compile, id }) => `${compile} ${id ?? ""}`}
        label="What torch.compile did"
      />
      {rows.length > kMost && <p class="note dim">and {rows.length - kMost} more</p>}
    </section>
  );
}
