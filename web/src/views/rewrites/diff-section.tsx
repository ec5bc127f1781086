// The comparison with the marked match, where the match's own change would stand: what was made, removed and changed on
// the way, each node a link, and the diff of the two printed graphs.
import type { ComponentChildren } from "preact";
import { stripAnsi } from "../../lib/ansi";
import type { PassModel } from "../../lib/graph/pass-model";
import { formatCount } from "../../lib/text";
import { useRewrites } from "./context";
import { CopyButton } from "../parts/copy-button";
import { KeyCap } from "../parts/key-cap";
import { MarkName } from "./mark-name";
import { Section } from "../parts/section";
import { TextDiff } from "./text-diff";

const kListed = 100;

export function DiffSections() {
  const { diff, graph } = useRewrites();
  const shown = graph.shown.value;
  if (shown === null) return null;
  const { changes, loaded, state, layout } = shown;
  const { model } = loaded;
  const isHere = diff.isMarkHere.value;
  const other = diff.fetched.value.value?.data;
  const ghosts = changes.removed.filter((node) => !layout.has(node)).length;
  return (
    <>
      <Section title="Compared with" note={<DiffButtons />}>
        <p>
          <MarkName />
        </p>
      </Section>
      <NodeList model={model} title="Made" tone="made" nodes={[...changes.made]} state={state} />
      {isHere ? (
        <NodeList model={model} title="Removed" tone="removed" nodes={changes.removed} state={changes.before}>
          {ghosts > 0 && (
            <p class="dim">
              {formatCount(ghosts)} of them have no place in this match’s layout: <KeyCap command="diff.swap" /> shows
              the other side.
            </p>
          )}
        </NodeList>
      ) : (
        other !== undefined && (
          <Section title="Only in the other" note={formatCount(other.only_from.length)}>
            <p class="dim">
              <KeyCap command="diff.swap" /> shows them there.
            </p>
          </Section>
        )
      )}
      <NodeList model={model} title="Changed" tone="rewritten" nodes={[...changes.rewritten]} state={state} />
      <PrintedDiff />
    </>
  );
}

interface NodeListProps {
  model: PassModel;
  title: string;
  tone: string;
  nodes: readonly number[];
  state: number;
  children?: ComponentChildren;
}

function NodeList({ model, title, tone, nodes, state, children }: NodeListProps) {
  const { graph } = useRewrites();
  return (
    <Section title={title} note={<span class={tone}>{formatCount(nodes.length)}</span>}>
      <ul class="neighbours">
        {nodes.slice(0, kListed).map((node) => (
          <li key={node}>
            <span class="dim">{node}</span>
            <button class="link mono" onClick={() => graph.visit(node)}>
              {stripAnsi(model.labelAt(node, state)).split("\n").join(" ")}
            </button>
          </li>
        ))}
      </ul>
      {nodes.length > kListed && <p class="dim">and {formatCount(nodes.length - kListed)} more</p>}
      {children}
    </Section>
  );
}

function DiffButtons() {
  const { diff } = useRewrites();
  return (
    <>
      <button class="link" onClick={diff.swap}>
        swap <KeyCap command="diff.swap" />
      </button>{" "}
      <button class="link" onClick={diff.turn}>
        end <KeyCap command="diff.turn" />
      </button>
    </>
  );
}

function PrintedDiff() {
  const { diff } = useRewrites();
  const { wish, value, problem } = diff.fetched.value;
  if (problem !== null) {
    return (
      <Section title="Printed">
        <p class="removed">{problem.message}</p>
      </Section>
    );
  }
  if (value === null) return <Section title="Printed">{<p class="dim">…</p>}</Section>;
  const lines = value.data.diff;
  return (
    <Section title="Printed" note={<CopyButton text={() => lines.join("\n")} label="the diff" />}>
      <TextDiff lines={lines} isStale={value.wish !== wish} same="Both print the same." />
    </Section>
  );
}
