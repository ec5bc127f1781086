// The columns of the tables about an allocator: owners, leaks, allocations.
import { formatBytes } from "../../lib/bytes";
import {
  sayEntry,
  sayLine,
  sayOwner,
  type OwnerKind,
  type WireLeak,
  type WireLife,
  type WireOwnerRow,
} from "../../lib/allocator";
import { formatCount, formatShare } from "../../lib/text";
import { Bytes, Figure, Moment, Share } from "../parts/figure";
import type { Column } from "../parts/table";
import { OwnerChip } from "./owner-chip";

const textOf = (owner: WireOwnerRow["owner"]) => (owner === null ? null : String(owner));

export function ownerColumns(by: OwnerKind, whole: number): readonly Column<WireOwnerRow>[] {
  return [
    {
      id: "owner",
      title: "Owner",
      align: "left",
      isWide: true,
      show: (row) => (
        <span class="allocator-owner" title={textOf(row.owner) ?? sayOwner(null, by)}>
          <OwnerChip id={row.id} />
          <span class={row.owner === null || /no line of|no stack/.test(String(row.owner)) ? "dim" : "mono"}>
            {sayOwner(row.owner, by)}
          </span>
        </span>
      ),
      value: (row) => textOf(row.owner),
    },
    {
      id: "block_bytes",
      title: "Bytes",
      hint: "Of blocks: as torch.cuda.memory_allocated() counts",
      show: (row) => <Bytes bytes={row.block_bytes} />,
      value: (row) => row.block_bytes,
    },
    {
      id: "share",
      title: "% of all",
      show: (row) => <Share of={row.block_bytes / Math.max(whole, 1)} />,
      value: (row) => row.block_bytes / Math.max(whole, 1),
    },
    {
      id: "count",
      title: "Allocations",
      show: (row) => <Figure text={formatCount(row.count)} exact={row.count} />,
      value: (row) => row.count,
    },
    {
      id: "requested_bytes",
      title: "Requested",
      show: (row) => <Bytes bytes={row.requested_bytes} />,
      value: (row) => row.requested_bytes,
    },
  ];
}

export function leakColumns(steps: number): readonly Column<WireLeak>[] {
  const [owner, bytes, , count] = ownerColumns("line", 1) as readonly Column<WireLeak>[];
  return [
    owner!,
    bytes!,
    {
      id: "per_step",
      title: "A step",
      hint: "Bytes by the number of steps that can be judged: all but the first and the last",
      show: (row) => <Bytes bytes={Math.round(row.block_bytes / Math.max(steps, 1))} />,
      value: (row) => row.block_bytes / Math.max(steps, 1),
    },
    { ...count!, hint: "Made in one step, and not freed in the next" },
    {
      id: "by_step",
      title: "By step",
      isFixed: true,
      show: (row) => <Steps bytes={row.by_step} />,
    },
  ];
}

/** A bar a step. */
function Steps({ bytes }: { bytes: readonly number[] }) {
  const most = Math.max(...bytes, 1);
  const shown = bytes.slice(-48);
  return (
    <span class="allocator-steps" title={bytes.map(formatBytes).join(", ")}>
      {shown.map((of, at) => (
        <i key={at} style={{ height: `${Math.max((of / most) * 14, of > 0 ? 2 : 0)}px` }} />
      ))}
    </span>
  );
}

/** hasTimes: else entries stand for the times that were not recorded. */
export function lifeColumns(hasTimes: boolean): readonly Column<WireLife>[] {
  const showAt = (ns: number, entry: number) => (
    <span title={sayEntry(entry)}>{hasTimes ? <Moment ns={ns} /> : sayEntry(entry)}</span>
  );
  return [
    {
      id: "block_bytes",
      title: "Bytes",
      show: (row) => <Bytes bytes={row.block_bytes} />,
      value: (row) => row.block_bytes,
    },
    {
      id: "line",
      title: "Line",
      align: "left",
      isWide: true,
      show: (row) => (
        <span class="mono" title={row.line}>
          {sayLine(row.line)}
        </span>
      ),
      value: (row) => row.line,
    },
    {
      id: "born",
      title: "Made",
      show: (row) => (row.born_ns === null ? <span class="dim">before</span> : showAt(row.born_ns, row.born_entry)),
      value: (row) => row.born_ns,
    },
    {
      id: "freed",
      title: "Freed",
      show: (row) =>
        row.freed_entry === null ? (
          "never"
        ) : row.freed_ns === null ? (
          <span class="dim">before</span>
        ) : (
          showAt(row.freed_ns, row.freed_entry)
        ),
      value: (row) => row.freed_ns,
    },
    {
      id: "address",
      title: "Address",
      align: "left",
      show: (row) => <span class="mono">{row.address}</span>,
      value: (row) => row.address,
    },
  ];
}

export const shareText = (part: number, whole: number) => formatShare(part / Math.max(whole, 1));
