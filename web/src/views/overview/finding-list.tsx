// The findings of the server's diagnosis, in order of what they cost; and what its other rules looked at.
import { stripAnsi } from "../../lib/ansi";
import { groupSilent, type WireDiagnosis, type WireFinding } from "../../lib/diagnosis";
import type { Link } from "../../lib/place";
import { formatDuration, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Duration, Share } from "../parts/figure";
import { ShareBar } from "../parts/share-bar";
import { Table, type Column } from "../parts/table";

const kSureHints = {
  measured: "It took so long",
  likely: "So much is likely due to this",
  "at most": "So much could be won at most",
};

export function Findings({ diagnosis }: { diagnosis: WireDiagnosis }) {
  const { place } = useApp();
  const { findings, silent, whole_ns } = diagnosis;
  return (
    <section class="findings">
      <h3>
        Findings{" "}
        <span class="of">
          {findings.length === 0
            ? `none: ${formatPlural(silent.length, "rule")} looked`
            : `by what they cost${whole_ns > 0 ? ` of the devices' ${formatDuration(whole_ns)}` : ""}; costs may overlap`}
        </span>
      </h3>
      {findings.length > 0 && (
        <Table
          columns={columnsOf(place.follow)}
          rows={findings}
          keyOf={({ rule, title }) => `${rule} ${title}`}
          label="Findings by what they cost"
        />
      )}
      <details class="silent">
        <summary>{formatPlural(silent.length, "rule")} found nothing</summary>
        <ul>
          {groupSilent(silent).map(({ says, how, rules }) => (
            <li key={rules[0]!.rule}>
              {rules.map(({ looks_at }) => looks_at).join("; ")}: <span class="dim">{says}</span>
              {how !== "" && <span class="dim">; {how}</span>}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

interface ToldProps {
  finding: WireFinding;
  follow: (link: Link) => void;
}

function Told({ finding: { title, detail, next, evidence }, follow }: ToldProps) {
  const [first, ...others] = evidence;
  return (
    <span class="finding">
      {first?.link == null ? (
        <span class="kernel-name">{title}</span>
      ) : (
        <button
          class="link kernel-name"
          title={`${stripAnsi(title)}: ${first.shows}`}
          onClick={() => follow(first.link!)}
        >
          {title}
        </button>
      )}
      <span class="dim told">
        {detail}
        {others.map(
          ({ id, shows, link }) =>
            link !== null && (
              <button key={id} class="link" title={shows} onClick={() => follow(link)}>
                {shows} →
              </button>
            ),
        )}
      </span>
      <span class="dim told">next: {next}</span>
    </span>
  );
}

const columnsOf = (follow: (link: Link) => void): Column<WireFinding>[] => [
  {
    id: "finding",
    title: "Finding",
    align: "left",
    isWide: true,
    show: (finding) => <Told finding={finding} follow={follow} />,
  },
  {
    id: "cost",
    title: "Costs",
    hint: "Costs may overlap: they do not add up",
    show: ({ cost_ns, per_step_ns }) =>
      cost_ns === null ? (
        <span class="dim">no time</span>
      ) : (
        <span title={per_step_ns === null ? "" : `${formatDuration(per_step_ns)} a step`}>
          <Duration ns={cost_ns} />
        </span>
      ),
  },
  {
    id: "share",
    title: "%",
    show: ({ percent, of }) => (
      <span title={`Of ${of}`}>
        <Share of={percent / 100} />
      </span>
    ),
  },
  { id: "sure", title: "Confidence", align: "left", show: ({ sure }) => <span title={kSureHints[sure]}>{sure}</span> },
  { id: "bar", title: "", show: ({ rule, percent }) => <ShareBar of={percent / 100} part={partOf(rule)} /> },
];

const kParts = [
  [["host-bound", "synchronising-calls", "recompiles"], "host"],
  [["between-kernels", "small-kernels"], "kernel"],
  [["idle-otherwise"], "other"],
  [["exposed-communication", "straggler"], "communication"],
  [["exposed-copies", "unpinned-copies", "memory-churn", "fragmentation"], "memory"],
] as const;
const partOf = (rule: string) =>
  kParts.find(([rules]) => (rules as readonly string[]).includes(rule))?.[1] ?? "compute";
