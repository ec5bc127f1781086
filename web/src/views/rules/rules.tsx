// Rules: every rule of the capture in a table, how often it matched and what came of it; from a rule to its matches,
// and from a match to its graph.
import { formatCount, formatPlural } from "../../lib/text";
import { createRules, type RulesState } from "./state";
import { useApp, useCommand } from "../parts/app-context";
import type { OpenView } from "../view";
import type { Progress } from "../../state/pending-answer";
import { Blank } from "../parts/blank";
import { ListFilter, ListTable, useListCommands } from "../parts/list-view/list-view";
import { RuleDetail } from "./rule-detail";
import { Split } from "../parts/split";
import "./rules.css";

export const openRules: OpenView = ({ api, session, place }) => {
  const rules = createRules(api, session, place);
  return () => <Rules rules={rules} />;
};

function Rules({ rules }: { rules: RulesState }) {
  useListCommands(rules.list, { previous: "rules.previous", next: "rules.next" });
  useOpenMatch(rules);
  const { problem } = rules.fetched.value;
  const table = rules.table.value;
  if (problem !== null) return <Blank title="The rules cannot be shown" lines={[problem.message]} tone="broken" />;
  if (table === null) return <Counting rules={rules} />;
  return (
    <Split
      left={null}
      leftLabel=""
      middle={<RuleTable rules={rules} matches={table.matches} />}
      right={<RuleDetail rules={rules} />}
      rightLabel="the rule’s matches"
    />
  );
}

const formatProgress = ({ done, of }: Progress) =>
  `${formatCount(done)} of ${formatPlural(of, "match", "matches")} replayed`;

function Counting({ rules }: { rules: RulesState }) {
  const progress = rules.progress.value;
  const line = progress === null ? "Every pass of the capture is replayed for it, once." : formatProgress(progress);
  return <Blank title="Counting what every rule did" lines={[line]} progress={progress} />;
}

function RuleTable({ rules, matches }: { rules: RulesState; matches: number }) {
  const { list } = rules;
  const progress = rules.progress.value;
  return (
    <div class="rules">
      <header class="rules-head">
        <ListFilter list={list} hint="Filter by file, line or source" label="Filter rules" />
        <span class="dim">
          {formatPlural(list.rows.value.length, "rule")} ·{" "}
          {progress === null
            ? `${formatPlural(matches, "match", "matches")} in the capture`
            : `so far, ${formatProgress(progress)}`}
        </span>
        {progress !== null && (
          <progress value={progress.done} max={Math.max(progress.of, 1)} aria-label="Counting what every rule did" />
        )}
      </header>
      <div class="scroll" data-scrolls tabIndex={0}>
        <ListTable
          list={list}
          label="Rules"
          nothing="No rule matched anywhere."
          nothingKept="No rule holds all these words."
        />
      </div>
    </div>
  );
}

/** Leads to the first match that is listed of the chosen rule. */
function useOpenMatch(rules: RulesState): void {
  const { chosen } = useApp();
  useCommand("rules.open", () => {
    const matches = rules.matches.value.value?.data.matches;
    const [context, pass, state] = [matches?.context[0], matches?.pass[0], matches?.state[0]];
    if (context !== undefined && pass !== undefined && state !== undefined) chosen.goToPass(context, pass, state);
  });
}
