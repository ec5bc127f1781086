// Who ran an ETDump's operators, delegates and portable kernels, and the modules that took the most time.
import { nameModule } from "../../lib/etdump/records";
import type { WireBlock, WireDelegation, WireModule } from "../../lib/etdump/wire";
import { formatCount } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { BlockTime } from "../parts/block-time";
import { Share } from "../parts/figure";
import { ShareBar } from "../parts/share-bar";
import { Table, type Column } from "../parts/table";
import { linkToDelegation, linkToInspector } from "./ways";

const kShown = 8;

export function Delegates({ rows, block }: { rows: readonly WireDelegation[]; block: WireBlock }) {
  const { place } = useApp();
  if (rows.length === 0) return null;
  const columns: Column<WireDelegation>[] = [
    {
      id: "delegate",
      title: "Who",
      align: "left",
      show: ({ delegate }) => (
        <button class="link kernel-name" onClick={() => place.follow(linkToDelegation)}>
          {delegate === "" ? "portable kernels" : delegate}
        </button>
      ),
    },
    { id: "calls", title: "Calls", hint: "In an iteration", show: ({ calls }) => formatCount(calls) },
    { id: "nodes", title: "Operators", hint: "Nodes of the program's graph", show: ({ nodes }) => formatCount(nodes) },
    {
      id: "time",
      title: "Time",
      hint: "Of an iteration",
      show: ({ total }) => <BlockTime value={total} block={block} />,
    },
    { id: "share", title: "% of iteration", show: ({ share }) => <Share of={share} /> },
    {
      id: "bar",
      title: "",
      show: ({ share, delegate }) => <ShareBar of={share} part={delegate === "" ? "host" : "compute"} />,
    },
  ];
  return (
    <section>
      <h3>
        Delegation
        <span class="ways">
          <button class="link" onClick={() => place.follow(linkToDelegation)}>
            what is not delegated, and why →
          </button>
        </span>
      </h3>
      <Table columns={columns} rows={rows} keyOf={({ delegate }) => delegate} label="Who ran the operators" />
    </section>
  );
}

export function Modules({ rows, block }: { rows: readonly WireModule[]; block: WireBlock }) {
  const { place } = useApp();
  if (rows.length < 2) return null;
  const most = rows.toSorted((a, b) => b.self - a.self).slice(0, kShown);
  const share = ({ self }: WireModule) => (block.whole === 0 ? 0 : self / block.whole);
  const columns: Column<WireModule>[] = [
    {
      id: "name",
      title: "Module",
      align: "left",
      isWide: true,
      show: (row) => (
        <button class="link kernel-name" title={row.name} onClick={() => place.follow(linkToInspector("modules"))}>
          {row.name === "" ? nameModule("", "") : row.name} <span class="dim">{row.type.split(".").at(-1)}</span>
        </button>
      ),
    },
    {
      id: "self",
      title: "Self",
      hint: "What ran for the module itself, not for a module in it",
      show: ({ self }) => <BlockTime value={self} block={block} />,
    },
    { id: "share", title: "% of iteration", show: (row) => <Share of={share(row)} /> },
    { id: "bar", title: "", show: (row) => <ShareBar of={share(row)} /> },
  ];
  return (
    <section>
      <h3>
        Modules
        <span class="ways">
          <button class="link" onClick={() => place.follow(linkToInspector("modules"))}>
            all {formatCount(rows.length)} →
          </button>
        </span>
      </h3>
      <Table columns={columns} rows={most} keyOf={({ name }) => name} label="Modules with the most time" />
    </section>
  );
}
