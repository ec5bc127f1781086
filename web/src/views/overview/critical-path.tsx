// The critical path, which held up the end: its time as a bar by kind, and the names with the most of it.
import { kPathFields } from "../../lib/device-fields";
import { linkToStretch, type WirePath, type WirePathShare } from "../../lib/devices";
import { kPathKey, kWholePath } from "../../lib/links";
import { formatCount, formatDuration, formatShare } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Duration, Figure, Share } from "../parts/figure";
import { fieldColumn, fieldColumns } from "../parts/list-view/field-column";
import { Name } from "../parts/name";
import { ShareBar } from "../parts/share-bar";
import { Table, type Column } from "../parts/table";

const kKinds = {
  device: { title: "on the device", where: "device", part: "compute", hint: "Kernels and copies of the path" },
  "between kernels": {
    title: "waiting between kernels",
    where: "device",
    part: "kernel",
    hint: "From the end of one kernel of the path to the start of the next, however long; other streams may be busy",
  },
  launch: { title: "launching", where: "host to device", part: "other", hint: "From the call to the kernel's start" },
  host: { title: "on the host", where: "host", part: "host", hint: "Code between the launches" },
} as const;
const kShown = 12;

export function CriticalPaths({ paths }: { paths: readonly WirePath[] }) {
  return (
    <section class="critical-path">
      <h3>
        Critical path{" "}
        <span class="of">the chain of work that held up the end: were it shorter, all would end sooner</span>
      </h3>
      {paths.map((path) => (
        <OnePath key={String(path.rank)} path={path} hasRanks={paths.length > 1} />
      ))}
    </section>
  );
}

function OnePath({ path, hasRanks }: { path: WirePath; hasRanks: boolean }) {
  const { place } = useApp();
  const whole_ns = path.to_ns - path.from_ns;
  const link = linkToStretch(path);
  return (
    <div class="path">
      <p>
        {hasRanks && <strong>rank {path.rank} </strong>}
        <Duration ns={whole_ns} /> <span class="dim">in</span>{" "}
        <Figure text={formatCount(path.parts)} exact={path.parts} />{" "}
        <span class="dim" title="Kernels, launches, and stretches of host code and of waiting">
          parts
        </span>{" "}
        <button class="link" onClick={() => place.follow({ ...link, keys: { ...link.keys, [kPathKey]: kWholePath } })}>
          over the timeline
        </button>
      </p>
      <PathBar shares={path.shares} whole_ns={whole_ns} />
      <Table
        columns={columnsOf(place.follow)}
        rows={path.shares.slice(0, kShown)}
        keyOf={keyOf}
        label="Critical path"
      />
    </div>
  );
}

const keyOf = ({ kind, name }: WirePathShare) => `${kind} ${name}`;

function PathBar({ shares, whole_ns }: { shares: readonly WirePathShare[]; whole_ns: number }) {
  const parts = Object.entries(kKinds).map(([kind, { title, part, hint }]) => ({
    title,
    part,
    hint,
    ns: shares.reduce((sum, share) => sum + (share.kind === kind ? share.total_ns : 0), 0),
  }));
  return (
    <>
      <ul class="time-legend">
        {parts.map(
          ({ title, part, hint, ns }) =>
            ns > 0 && (
              <li key={part} title={hint}>
                <span class={`swatch part-${part}`} /> {title} <Share of={ns / whole_ns} />
              </li>
            ),
        )}
      </ul>
      <div class="time-bar path-bar">
        {parts.map(
          ({ title, part, ns }) =>
            ns > 0 && (
              <span
                key={part}
                class={`part-${part}`}
                style={{ flexGrow: ns }}
                title={`${title}: ${formatDuration(ns)}, ${formatShare(ns / whole_ns)}`}
              />
            ),
        )}
      </div>
    </>
  );
}

const nameOf = ({ kind, name }: WirePathShare) =>
  name ?? (kind === "host" ? "nothing recorded on the thread" : kKinds[kind].title);

function columnsOf(follow: ReturnType<typeof useApp>["place"]["follow"]): Column<WirePathShare>[] {
  return [
    {
      id: "name",
      title: "Went to",
      align: "left",
      isWide: true,
      namesOf: (row) => [nameOf(row)],
      show: (row) => (
        <button
          class="link kernel-name"
          onClick={() => {
            const link = linkToStretch(row.longest);
            follow({ ...link, keys: { ...link.keys, [kPathKey]: kWholePath } });
          }}
        >
          <Name name={nameOf(row)} />
        </button>
      ),
    },
    { id: "kind", title: "Where", align: "left", show: (row) => <span class="dim">{kKinds[row.kind].where}</span> },
    fieldColumn("percent", kPathFields.percent),
    ...fieldColumns<WirePathShare>(kPathFields, ["total_ns", "parts", "longest_ns"]),
    {
      id: "bar",
      title: "",
      show: (row) => <ShareBar of={row.percent / 100} part={kKinds[row.kind].part} />,
    },
  ];
}
