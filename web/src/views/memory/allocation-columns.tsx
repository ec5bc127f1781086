// The columns of the table of allocations.
import { stripAnsi } from "../../lib/ansi";
import { linkToEvent } from "../../lib/links";
import type { LaneInfo } from "../../lib/timeline/timeline";
import type { WireAllocation, WireEvent } from "../../lib/timeline/wire";
import { formatCount } from "../../lib/text";
import type { PlaceState } from "../../state/place";
import { Name } from "../parts/name";
import { Bytes, Figure, Moment, Share } from "../parts/figure";
import { withoutEmpty } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";

/** A link to an event of the timeline. */
export function EventLink({
  event,
  lanes,
  place,
}: {
  event: WireEvent;
  lanes: readonly LaneInfo[];
  place: PlaceState;
}) {
  const { index, start_ns, dur_ns, label } = event;
  const name = stripAnsi(label);
  const lane = lanes[event.lane]?.path ?? "";
  return (
    <button
      class="link name"
      title={name}
      onClick={(click) => {
        click.stopPropagation();
        place.follow(linkToEvent({ lane, index, start_ns, dur_ns, name }));
      }}
    >
      <Name name={label} />
    </button>
  );
}

export function allocationColumns(
  rows: readonly WireAllocation[],
  lanes: readonly LaneInfo[],
  lane: number,
  place: PlaceState,
): readonly Column<WireAllocation>[] {
  const isAddressed = lanes[lane]?.memory?.isAddressed === true;
  const columns: Column<WireAllocation>[] = [
    {
      id: "size_bytes",
      title: "Bytes",
      show: (row) => <Bytes bytes={row.size_bytes} />,
      value: (row) => row.size_bytes,
    },
    {
      id: "share",
      title: "% of held",
      hint: "Of the allocations that are listed",
      show: (row) => <Share of={row.share} />,
      value: (row) => Number(row.share.toPrecision(6)),
    },
    {
      id: "made_in",
      title: "Made in",
      hint: "The innermost operator then, on the thread that asked; else its first use, or what ran then",
      align: "left",
      show: (row) =>
        row.made_in !== null ? (
          <EventLink event={row.made_in} lanes={lanes} place={place} />
        ) : (
          <span class="dim">{row.earlier ? "before the capture" : "not known"}</span>
        ),
      value: (row) => (row.made_in === null ? null : stripAnsi(row.made_in.label)),
    },
    { id: "module", title: "Module", align: "left", show: (row) => row.module ?? "", value: (row) => row.module },
    {
      id: "line",
      title: "Python function",
      align: "left",
      show: (row) => <span class="mono">{row.line ?? ""}</span>,
      value: (row) => row.line,
    },
    { id: "type", title: "Type", align: "left", show: sayType, value: (row) => sayType(row) || null },
    {
      id: "elements",
      title: "Elements",
      show: (row) => <Figure text={formatCount(row.count)} exact={row.count} />,
      value: (row) => (row.dtype === "" ? null : row.count),
    },
    { id: "kernels", title: "Kernels", hint: "Events that touch it", show: showUses, value: ({ uses }) => uses },
    {
      id: "birth_ns",
      title: "Made at",
      show: (row) => (row.earlier ? <span class="dim">before</span> : <Moment ns={row.birth_ns} />),
      value: (row) => (row.earlier ? null : row.birth_ns),
    },
    {
      id: "death_ns",
      title: "Freed at",
      show: (row) => (row.death_ns < 0 ? "never" : <Moment ns={row.death_ns} />),
      value: (row) => (row.death_ns < 0 ? null : row.death_ns),
    },
    {
      id: "buffer",
      title: isAddressed ? "Address" : "Buffer",
      align: "left",
      show: (row) => <span class="mono">{isAddressed ? `0x${row.key.toString(16)}` : row.key}</span>,
      value: (row) => row.key,
    },
  ];
  return withoutEmpty(columns, rows).filter(({ id }) => id !== "buffer" || rows.some(({ key }) => key !== 0));
}

/** The category too, where the capture has one: else the type stands for it. */
export function sayType({ category, dtype }: WireAllocation): string {
  return category === "" || category === dtype ? dtype : `${category} ${dtype}`;
}

function showUses({ uses }: WireAllocation): string {
  return uses === null ? "" : formatCount(uses);
}
