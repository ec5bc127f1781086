// The operators and annotated ranges with the most time of their own on the host, of captures in which no device worked.
import type { WireOperator } from "../../lib/devices";
import { kOperatorFields } from "../../lib/device-fields";
import { linkToEvent } from "../../lib/links";
import { formatCount } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Duration, Figure, Share } from "../parts/figure";
import { fieldColumn } from "../parts/list-view/field-column";
import { Name } from "../parts/name";
import { ShareBar } from "../parts/share-bar";
import { Table, type Column } from "../parts/table";

const kTop = 10;

export function TopOperators({ rows }: { rows: readonly WireOperator[] }) {
  const { place } = useApp();
  const isOfSeveral = rows.some(({ rank }) => rank !== rows[0]!.rank);
  const share = ({ self_percent }: WireOperator) => self_percent / 100;
  const columns: Column<WireOperator>[] = [
    {
      id: "name",
      title: "Name",
      align: "left",
      isWide: true,
      namesOf: ({ name }) => [name],
      show: ({ name, longest }) => (
        <button class="link kernel-name" title="Its longest call" onClick={() => place.follow(linkToEvent(longest))}>
          <Name name={name} />
        </button>
      ),
    },
    ...(isOfSeveral ? [fieldColumn<WireOperator>("rank", kOperatorFields.rank)] : []),
    { id: "calls", title: "Calls", show: ({ calls }) => <Figure text={formatCount(calls)} exact={calls} /> },
    { id: "self", title: "Self", hint: kOperatorFields.self_ns.hint, show: ({ self_ns }) => <Duration ns={self_ns} /> },
    {
      id: "share",
      title: "% of self time",
      hint: kOperatorFields.self_percent.hint,
      show: (row) => <Share of={share(row)} />,
    },
    { id: "total", title: "Total", show: ({ total_ns }) => <Duration ns={total_ns} /> },
    { id: "bar", title: "", show: (row) => <ShareBar of={share(row)} part="compute" /> },
  ];
  return (
    <section>
      <h3>
        Operators <span class="of">most self time first</span>
        <span class="ways">
          <button class="link" onClick={() => place.follow({ view: "operators", keys: {} })}>
            all {formatCount(rows.length)} →
          </button>
        </span>
      </h3>
      <Table
        columns={columns}
        rows={rows.toSorted((a, b) => b.self_ns - a.self_ns).slice(0, kTop)}
        keyOf={({ rank, name, kind }) => `${rank} ${kind} ${name}`}
        label="Operators with the most self time"
      />
    </section>
  );
}
