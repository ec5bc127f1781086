// The columns of the table of kernels that follow one another.
import { stripAnsi } from "../../lib/ansi";
import { kSequenceFields } from "../../lib/device-fields";
import type { WireSequence } from "../../lib/devices";
import { linkToEvent } from "../../lib/links";
import { formatDuration } from "../../lib/text";
import type { PlaceState } from "../../state/place";
import { Duration } from "../parts/figure";
import { fieldColumn, kNothing } from "../parts/list-view/field-column";
import { Name } from "../parts/name";
import type { Column } from "../parts/table";

export const sequenceColumns = (place: PlaceState): readonly Column<WireSequence>[] => [
  {
    id: "kernels",
    title: kSequenceFields.kernels.title,
    align: "left",
    namesOf: (row) => row.kernels,
    show: (row) => (
      <ol class="sequence">
        {row.kernels.map((name, at) => (
          <li key={at}>
            <Name name={name} />
          </li>
        ))}
      </ol>
    ),
    value: (row) => row.kernels.map(stripAnsi).join(" > "),
  },
  fieldColumn("count", kSequenceFields.count),
  {
    id: "total",
    title: kSequenceFields.time_ns.title,
    hint: kSequenceFields.time_ns.hint,
    show: (row) => <Duration ns={row.total_ns + row.between_ns} />,
    value: (row) => row.total_ns + row.between_ns,
  },
  fieldColumn("between_ns", kSequenceFields.between_ns),
  fieldColumn<WireSequence>("longest_ns", kSequenceFields.longest_ns, {
    show: (row) => (
      <button class="link" title={`${row.longest_ns} ns`} onClick={() => place.follow(linkToSequence(row))}>
        {formatDuration(row.longest_ns)}
      </button>
    ),
  }),
  {
    id: "candidate",
    title: "Fusion",
    align: "left",
    hint: kSequenceFields.fusion_candidate.hint,
    show: (row) => (row.fusion_candidate ? "candidate" : kNothing),
    value: (row) => (row.fusion_candidate ? "candidate" : null),
  },
];

/** To its first kernel, with all of the sequence in view. */
const linkToSequence = ({ first, longest_ns }: WireSequence) =>
  linkToEvent({ ...first, name: stripAnsi(first.name), dur_ns: Math.max(first.dur_ns, longest_ns) });
