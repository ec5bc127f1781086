// The columns of the table of rules.
import { formatCount } from "../../lib/text";
import { Duration, Figure } from "../parts/figure";
import { kNothing } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";
import { meanTime_ns, type RuleRow } from "./rule-rows";

type CountKey = "matches" | "added" | "removed" | "unchanged" | "undone" | "undoing" | "passes";

const Count = ({ of }: { of: number }) => <Figure text={formatCount(of)} exact={of} />;

/** A number that stands out where it is not 0. */
const count = (id: CountKey, title: string, hint: string, tone = ""): Column<RuleRow> => ({
  id,
  title,
  hint,
  show: (rule) => {
    const text = rule[id] === 0 ? kNothing : <Count of={rule[id]} />;
    return tone === "" ? text : <span class={rule[id] > 0 ? tone : ""}>{text}</span>;
  },
  value: (rule) => rule[id],
});

const kTimes: readonly Column<RuleRow>[] = [
  {
    id: "time",
    title: "Time",
    hint: "Time of all its matches",
    show: (rule) => (rule.dur_ns === null ? "" : <Duration ns={rule.dur_ns} />),
    value: (rule) => rule.dur_ns,
  },
  {
    id: "each",
    title: "Mean",
    hint: "Mean time of a match",
    show: (rule) => (rule.dur_ns === null ? "" : <Duration ns={meanTime_ns(rule)} />),
    value: (rule) => (rule.dur_ns === null ? null : meanTime_ns(rule)),
  },
];

/** Columns of times are shown only if some rule has one. */
export const ruleColumns = (rows: readonly RuleRow[]): readonly Column<RuleRow>[] => [
  {
    id: "name",
    title: "Rule",
    align: "left",
    show: (rule) => (
      <span class="rule-cell" title={`${rule.file}:${rule.line}`}>
        <span class="rule-name">{rule.name}</span> <code>{rule.code}</code>
      </span>
    ),
    value: (rule) => `${rule.file}:${rule.line}`,
  },
  {
    id: "matches",
    title: "Matches",
    show: (rule) => <Count of={rule.matches} />,
    value: (rule) => rule.matches,
  },
  count("added", "Made", "Nodes that its matches made"),
  count("removed", "Removed", "Nodes that its matches removed"),
  count("unchanged", "No change", "Matches after which the graph was as before", "rewritten"),
  count("undone", "Undone", "Matches whose change a later match of the pass reverted", "removed"),
  count("undoing", "Undoing", "Matches that reverted the change of an earlier one", "removed"),
  ...(rows.some((rule) => rule.dur_ns !== null) ? kTimes : []),
  {
    id: "passes",
    title: "Passes",
    hint: "Passes in which it matched",
    show: (rule) => <Count of={rule.passes} />,
    value: (rule) => rule.passes,
  },
];
