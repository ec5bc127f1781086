// Rules: every rule of the capture in a table, how often it matched and what came of it; from a rule to its matches, and
// from a match to its graph.
import { formatCount, formatPlural } from "../../lib/text";
import { meanTime_ns, type RuleColumn, type RuleRow } from "./rule-rows";
import { createRules, type RulesState } from "./state";
import { useApp, useCommand } from "../parts/app-context";
import type { OpenView } from "../view";
import { Blank } from "../parts/blank";
import "./rules.css";
import { Duration, Figure } from "../parts/figure";
import { FilterBox } from "../parts/filter-box";
import { RuleDetail } from "./rule-detail";
import { Split } from "../parts/split";
import { Table, type Column } from "../parts/table";

export const openRules: OpenView = ({ api, session, place }) => {
  const rules = createRules(api, session, place);
  return () => <Rules rules={rules} />;
};

function Rules({ rules }: { rules: RulesState }) {
  useRuleKeys(rules);
  const { value, problem } = rules.fetched.value;
  if (problem !== null) return <Blank title="The rules cannot be shown" lines={[problem.message]} tone="broken" />;
  if (value === null) {
    const progress = rules.progress.value;
    return (
      <Blank
        title="Counting what every rule did"
        lines={[
          progress === null
            ? "Every pass of the capture is replayed for it, once."
            : `${formatCount(progress.done)} of ${formatPlural(progress.of, "match", "matches")} replayed`,
        ]}
        progress={progress}
      />
    );
  }
  return (
    <Split
      left={null}
      leftLabel=""
      middle={<RuleTable rules={rules} />}
      right={<RuleDetail rules={rules} />}
      rightLabel="the rule’s matches"
    />
  );
}

function RuleTable({ rules }: { rules: RulesState }) {
  const rows = rules.rows.value;
  const { matches } = rules.fetched.value.value!.data;
  const { column, descending } = rules.order.value;
  return (
    <div class="rules">
      <header class="rules-head">
        <FilterBox
          hint="Filter by file, line or source"
          label="Filter rules"
          text={rules.text.value}
          onText={rules.setText}
        />
        <span class="dim">
          {formatPlural(rows.length, "rule")} · {formatPlural(matches, "match", "matches")} in the capture
        </span>
      </header>
      <div class="scroll" data-scrolls tabIndex={0}>
        {rows.length === 0 ? (
          <p class="dim note">
            {rules.text.value === "" ? "No rule matched anywhere." : "No rule holds all these words."}
          </p>
        ) : (
          <Table
            columns={columns.filter((c) => (c.id !== "time" && c.id !== "each") || rows.some((r) => r.dur_ns !== null))}
            rows={rows}
            keyOf={(rule) => rule.location}
            label="Rules"
            sort={{ column, descending, by: (id) => rules.sortBy(id as RuleColumn) }}
            isCurrent={(rule) => rule.location === rules.chosen.value?.location}
            onRow={(rule) => rules.choose(rule)}
          />
        )}
      </div>
    </div>
  );
}

const count = (n: number) => <Figure text={formatCount(n)} exact={n} />;
const orNothing = (n: number) => (n === 0 ? <span class="faint">·</span> : count(n));

const columns: readonly Column<RuleRow>[] = [
  {
    id: "name",
    title: "Rule",
    align: "left",
    show: (rule) => (
      <span class="rule-cell" title={`${rule.file}:${rule.line}`}>
        <span class="rule-name">{rule.name}</span> <code>{rule.code}</code>
      </span>
    ),
  },
  { id: "matches", title: "Matches", show: (rule) => count(rule.matches) },
  { id: "added", title: "Made", hint: "Nodes that its matches made", show: (rule) => orNothing(rule.added) },
  { id: "removed", title: "Removed", hint: "Nodes that its matches removed", show: (rule) => orNothing(rule.removed) },
  {
    id: "unchanged",
    title: "No change",
    hint: "Matches after which the graph was as before",
    show: (rule) => <span class={rule.unchanged > 0 ? "rewritten" : ""}>{orNothing(rule.unchanged)}</span>,
  },
  {
    id: "undone",
    title: "Undone",
    hint: "Matches whose change a later match of the pass took back",
    show: (rule) => <span class={rule.undone > 0 ? "removed" : ""}>{orNothing(rule.undone)}</span>,
  },
  {
    id: "undoing",
    title: "Undoing",
    hint: "Matches that took back what an earlier one had changed",
    show: (rule) => <span class={rule.undoing > 0 ? "removed" : ""}>{orNothing(rule.undoing)}</span>,
  },
  { id: "time", title: "Time", show: (rule) => (rule.dur_ns === null ? "" : <Duration ns={rule.dur_ns} />) },
  {
    id: "each",
    title: "Each",
    hint: "Time of a match, on average",
    show: (rule) => (rule.dur_ns === null ? "" : <Duration ns={meanTime_ns(rule)} />),
  },
  { id: "passes", title: "Passes", hint: "Passes in which it matched", show: (rule) => count(rule.passes) },
];

function useRuleKeys(rules: RulesState): void {
  const move = (by: number) => {
    const rows = rules.rows.value;
    const at = rows.findIndex((row) => row.location === rules.chosen.value?.location);
    const next = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next !== undefined) rules.choose(next);
  };
  const { chosen } = useApp();
  useCommand("rules.previous", () => move(-1));
  useCommand("rules.next", () => move(1));
  useCommand("rules.open", () => {
    const matches = rules.matches.value.value?.data.matches;
    const [context, pass, state] = [matches?.context[0], matches?.pass[0], matches?.state[0]];
    if (context !== undefined && pass !== undefined && state !== undefined) chosen.goToPass(context, pass, state);
  });
  useCommand("page.clear", () => rules.choose(null));
}
