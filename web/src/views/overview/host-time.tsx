// How the host spent its time: the names with the most of their own, without the calls in them.
import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { stripAnsi } from "../../lib/ansi";
import { pathOfCapture } from "../../lib/api";
import { linkToEvent } from "../../lib/links";
import { formatCount } from "../../lib/text";
import type { WireLanes, WireRange } from "../../lib/timeline/wire";
import { followWish } from "../../state/fetched";
import { useApp } from "../parts/app-context";
import { Duration, Figure, Share } from "../parts/figure";
import { Name } from "../parts/name";
import { ShareBar } from "../parts/share-bar";
import { Table, type Column } from "../parts/table";

const kShown = 10;
const kHostKinds = ["host", "thread"];

type Row = WireRange["names"][number];

export function HostTime({ lanes: { capture, revision, lanes = [], dur_ns = 0 } }: { lanes: WireLanes }) {
  const { api, place } = useApp();
  const own = lanes.flatMap(({ kind, events }, at) =>
    kHostKinds.includes(kind ?? "") && (events ?? 0) > 0 ? [at] : [],
  );
  const path = own.length === 0 ? null : `/api/v1/range?from=0&to=${dur_ns}&lanes=${own.join(",")}`;
  // The path belongs to the capture whose lanes these are: another may be chosen by now.
  const wish = path && `${revision} ${pathOfCapture(path, capture)}`;
  const answer = useMemo(
    () =>
      followWish(
        computed(() => wish),
        (wanted, abort) => api.getJson<WireRange>(wanted, abort),
      ),
    [api, wish],
  );
  const names = answer.value.value?.data.names ?? [];
  if (names.length === 0) return null;
  const whole_ns = names.reduce((sum, { self_ns }) => sum + self_ns, 0);
  const follow = ({ label, max_ns, worst }: Row) => {
    const { path: lane, name } = lanes[worst.lane]!;
    const { index, start_ns } = worst;
    place.follow(linkToEvent({ lane: lane ?? name, index, start_ns, dur_ns: max_ns, name: stripAnsi(label) }));
  };
  const share = ({ self_ns }: Row) => (whole_ns === 0 ? 0 : self_ns / whole_ns);
  const columns: Column<Row>[] = [
    {
      id: "name",
      title: "Name",
      align: "left",
      isWide: true,
      namesOf: (row) => [row.label],
      show: (row) => (
        <button class="link kernel-name" onClick={() => follow(row)}>
          <Name name={row.label} />
        </button>
      ),
    },
    { id: "count", title: "Calls", show: (row) => <Figure text={formatCount(row.count)} exact={row.count} /> },
    {
      id: "self",
      title: "Self",
      hint: "Without what it called",
      show: (row) => <Duration ns={row.self_ns} />,
    },
    {
      id: "share",
      title: "% of host's time",
      hint: "Self, of all that is recorded on the host's threads",
      show: (row) => <Share of={share(row)} />,
    },
    { id: "total", title: "Total", show: (row) => <Duration ns={row.total_ns} /> },
    { id: "max", title: "Longest", show: (row) => <Duration ns={row.max_ns} /> },
    { id: "bar", title: "", show: (row) => <ShareBar of={share(row)} part="host" /> },
  ];
  return (
    <section>
      <h3>Most time on the host</h3>
      <Table
        columns={columns}
        rows={names.toSorted((a, b) => b.self_ns - a.self_ns).slice(0, kShown)}
        keyOf={({ name }) => name}
        label="What took the host the most time"
      />
    </section>
  );
}
