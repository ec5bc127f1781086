// The selected node: its label, sources and users with their ports, tag, where it leads, its biography.
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";
import { AnsiText } from "../parts/ansi-text";
import { Biography } from "./biography";
import { CopyButton } from "../parts/copy-button";
import { stripAnsi } from "../../lib/ansi";
import { formatCount } from "../../lib/text";
import { formatMeasure } from "../../lib/graph/measures";
import { FocusSection } from "./focus-section";
import { Sources, Users } from "./neighbours";
import { Section } from "../parts/section";

export function NodeTab() {
  const { chosen, session } = useApp();
  const { graph } = useRewrites();
  const shown = graph.shown.value;
  const node = graph.node.value;
  if (shown === null || node === null) {
    return (
      <p class="dim note">Click a node of the graph to see its label, its sources and users, and its biography.</p>
    );
  }
  const { state, loaded } = shown;
  const { model } = loaded;
  const version = model.versionAt(node, state);
  const label = model.labelAt(node, state);
  const isAlive = model.isAlive(node, state);
  const ref = model.versionRef.at(version);
  const tag = model.versionTag[version] ?? null;
  const refName = session.contexts.value?.contexts[ref]?.name;
  return (
    <div class="scroll" data-scrolls tabIndex={0}>
      <Section title={`Node #${node}`} note={<CopyButton text={() => stripAnsi(label)} label="the label" />}>
        {!isAlive && <p class="removed">It is not in the graph at match {formatCount(state)}.</p>}
        <pre class="wrap node-label">
          <AnsiText text={label} />
        </pre>
        {tag !== null && (
          <p>
            <span class="dim">tag</span> <code>{tag}</code>
          </p>
        )}
        <Measured node={node} />
        {refName !== undefined && (
          <p>
            <button class="link" onClick={() => chosen.goToPass(ref, null)}>
              ↗ <AnsiText text={refName} />
            </button>
          </p>
        )}
      </Section>
      {isAlive && (
        <>
          {model.isBox(node, state) && <FocusSection node={node} />}
          <Sources key={node} model={model} state={state} node={node} />
          <Users model={model} state={state} node={node} />
        </>
      )}
      <Biography node={node} />
    </div>
  );
}

/** The capture's numbers on the node, a click on one colours the graph by it. */
function Measured({ node }: { node: number }) {
  const { measures } = useRewrites();
  return (
    <>
      {measures.all.value.map((measure) => {
        const value = measure.values.get(node);
        if (value === undefined) return null;
        return (
          <p key={measure.name}>
            <button
              class="link"
              title="Colour the graph by it"
              onClick={() => measures.choose(measures.chosen.value === measure.name ? null : measure.name)}
            >
              {measure.name}
            </button>{" "}
            <span class="mono" title={`${value} ${measure.unit}`.trimEnd()}>
              {formatMeasure(measure, value)}
            </span>
          </p>
        );
      })}
    </>
  );
}
