// One rule: its source, which rules undo it and which it undoes, and its matches; a click goes to one.
import { useMemo } from "preact/hooks";
import { stripAnsi } from "../../lib/ansi";
import type { RuleRow } from "./rule-rows";
import { formatCount, formatDuration, nameOfPath } from "../../lib/text";
import type { WireRuleMatches } from "../../lib/graph/wire-history";
import { kEffects, type Effect, type RulesState } from "./state";
import { useApp } from "../parts/app-context";
import { SourceLine } from "../parts/location-link";
import { Section } from "../parts/section";
import { VirtualList } from "../parts/virtual-list";

const kRow_px = 40;
const kEffectTitles: Readonly<Record<Effect, string>> = {
  all: "all",
  changed: "with a change",
  unchanged: "without",
  undone: "undone later",
};

export function RuleDetail({ rules }: { rules: RulesState }) {
  const rule = rules.list.chosen.value;
  if (rule === null) return <p class="dim note">Choose a rule to see its source, what undoes it, and its matches.</p>;
  return (
    <div class="rule-detail">
      <Section title="Rule">
        <SourceLine location={[rule.file, rule.line, rule.code]} />
      </Section>
      <Undoes rules={rules} rule={rule} />
      <Matches rules={rules} rule={rule} />
    </div>
  );
}

/** Pairs of rules after which a pass saw the very graph that it had before. */
function Undoes({ rules, rule }: { rules: RulesState; rule: RuleRow }) {
  const { session, chosen } = useApp();
  const undoes = rules.table.value?.undoes ?? [];
  const contexts = session.contexts.value;
  const pairs = undoes.filter((pair) => pair.undone === rule.location || pair.by === rule.location);
  if (pairs.length === 0 || contexts === null) return null;
  const nameOf = (location: number) => {
    const [file, line] = contexts.locations[location] ?? ["", 0];
    return `${nameOfPath(file)}:${line}`;
  };
  return (
    <Section title="Undone and undoing" note={formatCount(pairs.length)}>
      <ul class="neighbours">
        {pairs.map((pair) => {
          const isUndone = pair.undone === rule.location;
          const isSame = pair.undone === pair.by;
          return (
            <li key={`${pair.undone}.${pair.by}`}>
              <span>
                {formatCount(pair.count)} × {isSame ? "undoes itself" : isUndone ? "undone by" : "undoes"}{" "}
                {!isSame && <span class="mono">{nameOf(isUndone ? pair.by : pair.undone)}</span>}
              </span>
              <button
                class="link"
                title="The graph is the same after both"
                onClick={() => chosen.goToPass(pair.context, pair.pass, pair.to)}
              >
                first at match {formatCount(pair.to)}, as {pair.from === 0 ? "the input" : formatCount(pair.from)}
              </button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Matches({ rules, rule }: { rules: RulesState; rule: RuleRow }) {
  const { value, wish, problem } = rules.matches.value;
  const effect = rules.effect.value;
  const counts: Readonly<Record<Effect, number>> = {
    all: rule.matches,
    changed: rule.matches - rule.unchanged,
    unchanged: rule.unchanged,
    undone: rule.undone,
  };
  return (
    <>
      <div class="section-head rule-effects">
        {kEffects.map((name) => (
          <button
            key={name}
            class={name === effect ? "pill on" : "pill"}
            disabled={counts[name] === 0 && name !== effect}
            aria-pressed={name === effect}
            onClick={() => rules.setEffect(name)}
          >
            {kEffectTitles[name]} <span class="dim">{formatCount(counts[name])}</span>
          </button>
        ))}
      </div>
      {problem !== null && <p class="removed note">{problem.message}</p>}
      {value === null && problem === null && (
        <p class="dim note">{rules.progress.value === null ? "…" : "Its matches come when all are replayed."}</p>
      )}
      {value !== null && (
        <div class={value.wish === wish ? "rule-matches" : "rule-matches stale"}>
          <MatchList answer={value.data} />
        </div>
      )}
    </>
  );
}

function MatchList({ answer }: { answer: WireRuleMatches }) {
  const { session, chosen } = useApp();
  const contexts = session.contexts.value;
  const names = useMemo(() => contexts?.contexts.map((context) => stripAnsi(context.name)) ?? [], [contexts]);
  const { matches, total } = answer;
  if (contexts === null) return null;
  return (
    <>
      <VirtualList
        count={matches.state.length}
        rowHeight_px={kRow_px}
        current={-1}
        label="Matches of the rule"
        role="listbox"
        renderRow={(i) => {
          const [c, s, state] = [matches.context[i]!, matches.pass[i]!, matches.state[i]!];
          const pass = contexts.pass_names[contexts.contexts[c]?.passes.name[s] ?? -1] ?? "";
          const undoneAt = matches.undone_at[i]!;
          return (
            <div key={i} class="rule-match" role="option" onClick={() => chosen.goToPass(c, s, state)}>
              <div>
                <span class="link">match {formatCount(state)}</span> {names[c]} <span class="dim">›</span> {pass}
              </div>
              <div class="dim">
                {matches.before[i]} → {matches.after[i]} <span class="made">+{matches.added[i]}</span>{" "}
                <span class="removed">−{matches.removed[i]}</span>
                {matches.changed[i] === 0 && <span class="rewritten"> no change</span>}
                {undoneAt >= 0 && <span class="removed"> undone at {formatCount(undoneAt)}</span>}
                {matches.dur_ns !== null && ` ${formatDuration(matches.dur_ns[i]!)}`}
              </div>
            </div>
          );
        }}
      />
      {total > matches.state.length && <p class="dim note">and {formatCount(total - matches.state.length)} more</p>}
    </>
  );
}
