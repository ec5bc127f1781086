// The match on screen: the rule that made it, what it changed, the node that is selected, the pass it belongs to.
import { useComputed } from "@preact/signals";
import { countRuleHits } from "../../lib/graph/pass-changes";
import { formatCount, formatDuration } from "../../lib/text";
import { AnsiText } from "../parts/ansi-text";
import { linkToRule } from "../../lib/links";
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";
import { dataOf } from "../../state/fetched";
import { CallStack } from "../parts/call-stack";
import { CopyButton } from "../parts/copy-button";
import { SourceLine } from "../parts/location-link";
import { DiffSections } from "./diff-section";
import { KeyCap } from "../parts/key-cap";
import { NodeLife } from "./node-life";
import { Section } from "../parts/section";
import { TextDiff } from "./text-diff";

export function MatchTab() {
  const { diff } = useRewrites();
  return (
    <div class="scroll" data-scrolls tabIndex={0}>
      {diff.isOn.value ? (
        <DiffSections />
      ) : (
        <>
          <ErrorSection />
          <RuleSection />
          <ChangeSection />
        </>
      )}
      <SelectedSection />
      <PassSection />
      <CalledFrom />
    </div>
  );
}

function RuleSection() {
  const { place } = useApp();
  const { graph } = useRewrites();
  const hits = useComputed(() => {
    const model = graph.shown.value?.loaded.model;
    return model === undefined ? null : countRuleHits(model);
  });
  const shown = graph.shown.value;
  if (shown === null) return null;
  const { state, loaded } = shown;
  const rule = loaded.model.ruleAt(state);
  if (rule === undefined) {
    return (
      <Section title="Input">
        <p class="dim">
          The graph as this pass found it.{" "}
          {loaded.model.stateCount > 1 ? "The first match is one step to the right." : "No rule matched."}
        </p>
      </Section>
    );
  }
  const dur_ns = loaded.model.durationAt(state);
  const count = hits.value?.get(loaded.model.rule.at(state)) ?? 0;
  const note = `hit ${formatCount(count)} × in this pass${dur_ns === null ? "" : ` · ${formatDuration(dur_ns)}`}`;
  return (
    <Section title="Rule" note={note}>
      <SourceLine location={rule} />
      <button class="link" onClick={() => place.follow(linkToRule(rule))}>
        among all rules of the capture <KeyCap command="match.rule" />
      </button>
    </Section>
  );
}

/** The rule raised, as the capture says; or what it made cannot be put into the graph, as the replay found. */
function ErrorSection() {
  const { graph, errors } = useRewrites();
  const shown = graph.shown.value;
  const error = shown === null ? undefined : errors.value.get(shown.state);
  if (shown === null || error === undefined) return null;
  const isLost = shown.loaded.model.errors.has(shown.state);
  return (
    <Section title="Error">
      <p class="removed">{isLost ? "The rewrite raised here, and the graph is lost:" : "The rule raised here:"}</p>
      <pre class="wrap">{error}</pre>
    </Section>
  );
}

function ChangeSection() {
  const { detail, graph } = useRewrites();
  const { wish, value, problem } = detail.match.value;
  if (graph.shown.value?.loaded.model.errors.has(graph.shown.value.state)) return null; // there is no graph
  if (wish === null) return null;
  if (problem !== null) {
    return (
      <Section title="Change">
        <p class="removed">{problem.message}</p>
      </Section>
    );
  }
  if (value === null) return <Section title="Change">{<p class="dim">…</p>}</Section>;
  const lines = value.data.diff;
  return (
    <Section title="Change" note={<CopyButton text={() => lines.join("\n")} label="the diff" />}>
      <TextDiff lines={lines} isStale={value.wish !== wish} same="Before and after print the same." />
    </Section>
  );
}

function SelectedSection() {
  const { graph } = useRewrites();
  const node = graph.node.value;
  if (node === null) return null;
  return (
    <Section title="Selected node">
      <NodeLife node={node} />
    </Section>
  );
}

/** The lines of the user's program that led to this context. */
function CalledFrom() {
  const frames = dataOf(useRewrites().detail.calledFrom.value)?.frames ?? [];
  if (frames.length === 0) return null;
  return (
    <Section title="Called from">
      <CallStack frames={frames} />
    </Section>
  );
}

function PassSection() {
  const { chosen, session } = useApp();
  const contexts = session.contexts.value;
  const context = contexts?.contexts[chosen.context.value ?? -1];
  const s = chosen.pass.value;
  if (contexts === null || context === undefined || s === null) return null;
  const location = contexts.locations[context.passes.location[s] ?? -1];
  const name = contexts.pass_names[context.passes.name[s] ?? -1] ?? "";
  return (
    <Section title="Pass" note={<AnsiText text={name} />}>
      {location !== undefined && <SourceLine location={location} />}
    </Section>
  );
}
