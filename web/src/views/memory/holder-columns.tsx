// The columns of the table of who holds the memory.
import { kHolderFields } from "../../lib/device-fields";
import { formatBytes } from "../../lib/bytes";
import { signOf, type HolderGroup, type WireHolder } from "../../lib/memory";
import { stripAnsi } from "../../lib/ansi";
import { Name } from "../parts/name";
import { Figure } from "../parts/figure";
import { fieldColumn, fieldColumns } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";

/** Titles of tables by what they have a row for, and what that is. */
export const kGroupTexts: Record<HolderGroup, { choice: string; title: string; hint: string }> = {
  operator: {
    choice: "by operator",
    title: "Operator",
    hint: "The innermost operator that the allocations were made in, on the thread that asked for them",
  },
  module: { choice: "by module", title: "Module", hint: "The innermost module that the allocations were made in" },
  line: {
    choice: "by Python function",
    title: "Python function",
    hint: "The innermost one outside of PyTorch itself: its file, the line where it begins, its name",
  },
  category: { choice: "by category", title: "Category", hint: "As the capture sorts them, else by type" },
};

/** For an operator the module of its largest allocation, for a module those around it: all are in the title. */
function sayModules({ modules }: WireHolder, group: HolderGroup): string {
  const around = modules?.split(" / ") ?? [];
  const told = group === "operator" ? around.slice(-1) : group === "module" ? around.slice(-3, -1) : [];
  return told.length === 0 ? "" : `in ${told.join(" / ")}`;
}

export function holderColumns(group: HolderGroup): readonly Column<WireHolder>[] {
  const { title, hint } = kGroupTexts[group];
  return [
    {
      id: "name",
      title,
      hint,
      align: "left",
      isWide: true,
      show: (row) =>
        row.name === null ? (
          <span class="dim">not known</span>
        ) : row.id < 0 ? (
          <span class="dim">{row.name}</span>
        ) : (
          <span class="kernel-cell" title={stripAnsi([row.name, row.modules ?? ""].filter(Boolean).join("\nin "))}>
            <Name name={row.name === "" ? "no category" : row.name} />
            <span class="dim"> {sayModules(row, group)}</span>
          </span>
        ),
      value: (row) => (row.name === null ? null : stripAnsi(row.name)),
    },
    ...fieldColumns<WireHolder>(kHolderFields, ["bytes", "share_pct"]),
    fieldColumn<WireHolder>("grown_bytes", kHolderFields.grown_bytes, {
      show: ({ grown_bytes: grown }) => (
        <Figure text={`${signOf(grown)}${formatBytes(Math.abs(grown))}`} exact={grown} unit="bytes" />
      ),
    }),
    ...fieldColumns<WireHolder>(kHolderFields, ["allocations", "largest_bytes"]),
    fieldColumn<WireHolder>("modules", kHolderFields.modules),
  ];
}
