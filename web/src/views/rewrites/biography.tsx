// A node's biography in full: every match that touched it, its rule, and the node before and after; what it was made
// from, what was merged into it, what took its place. Numbers lead to the match, nodes to the node.
import { useMemo } from "preact/hooks";
import { tellBiography, type Chapter } from "../../lib/graph/biography";
import { stripAnsi } from "../../lib/ansi";
import type { PassModel } from "../../lib/graph/pass-model";
import { formatCount } from "../../lib/text";
import { fetchBiography } from "./state/biography";
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";
import { CopyButton } from "../parts/copy-button";
import { KeyCap } from "../parts/key-cap";
import { LocationLink } from "../parts/location-link";
import { Section } from "../parts/section";

const kWires = 6;
const kTitles: Readonly<Record<Chapter["what"], string>> = {
  made: "made by",
  label: "rewritten by",
  sources: "rewired by",
  merged: "merged by",
  removed: "removed by",
};

export function Biography({ node }: { node: number }) {
  const { api, session, chosen } = useApp();
  const { graph } = useRewrites();
  const fetched = useMemo(() => fetchBiography(api, session, chosen, graph), [api, session, chosen, graph]);
  const shown = graph.shown.value;
  if (shown === null) return null;
  const { state, loaded } = shown;
  const { model } = loaded;
  const chapters = tellBiography(model, node);
  const current = chapters.findLast((chapter) => chapter.state <= state);
  const more = fetched.value.value?.data;
  return (
    <Section title="Biography" note={<Ends model={model} node={node} />}>
      {more?.id === node && more.made_from >= 0 && (
        <p>
          <span class="dim">made from</span> <NodeLink node={more.made_from} state={Math.max(more.born - 1, 0)} />
        </p>
      )}
      <ol class="biography">
        {chapters.map((chapter) => (
          <li key={chapter.state} class={chapter === current ? "current" : ""}>
            <ChapterView chapter={chapter} />
          </li>
        ))}
      </ol>
      {more?.id === node && more.replaced_by >= 0 && (
        <p>
          <span class="dim">in its place</span> <NodeLink node={more.replaced_by} state={more.died} />
        </p>
      )}
      {model.mergedInto.at(node) >= 0 && (
        <p>
          <span class="dim">became equal to</span>{" "}
          <NodeLink node={model.mergedInto.at(node)} state={model.died.at(node)} />
        </p>
      )}
      {more?.id === node &&
        more.absorbed.map((other) => (
          <p key={other}>
            <span class="dim">equal to it became</span>{" "}
            <NodeLink node={other} state={Math.max(model.died.at(other) - 1, 0)} />
          </p>
        ))}
    </Section>
  );
}

/** Its birth and its end, each a way there. */
function Ends({ model, node }: { model: PassModel; node: number }) {
  const { graph } = useRewrites();
  const [born, died] = [model.born.at(node), model.died.at(node)];
  return (
    <>
      <button class="link" onClick={() => graph.goToState(born)}>
        {born === 0 ? "from the input" : `born ${formatCount(born)}`}
      </button>{" "}
      <KeyCap command="node.origin" />
      {" · "}
      {died < model.stateCount ? (
        <>
          <button class="link" onClick={() => graph.goToState(died)}>
            gone {formatCount(died)}
          </button>{" "}
          <KeyCap command="node.end" />
        </>
      ) : (
        "alive at the end"
      )}
    </>
  );
}

function ChapterView({ chapter }: { chapter: Chapter }) {
  const { graph } = useRewrites();
  const { state, what, rule, before, after, rewirings } = chapter;
  return (
    <>
      <p class="chapter-head">
        <button class="link number" onClick={() => graph.goToState(state)}>
          {state === 0 ? "input" : formatCount(state)}
        </button>
        {rule !== undefined && (
          <>
            <span class={what === "merged" ? "removed" : what}>{kTitles[what]}</span>
            <LocationLink location={rule} />
            <CopyButton text={() => `${rule[0]}:${rule[1]}`} label="the location" />
          </>
        )}
      </p>
      {rule?.[2] && <pre class="chapter-rule">{rule[2].trim()}</pre>}
      {before !== null && before !== after && <pre class="chapter-before">{before}</pre>}
      {after !== null && before !== after && <pre class={before === null ? "" : "chapter-after"}>{after}</pre>}
      {rewirings.slice(0, kWires).map(({ port, from, to }) => (
        <p key={port} class="chapter-wire">
          <span class="dim">source {port}</span> {from >= 0 && <NodeLink node={from} state={Math.max(state - 1, 0)} />}
          <span class="dim">→</span> {to >= 0 && <NodeLink node={to} state={state} />}
        </p>
      ))}
      {rewirings.length > kWires && <p class="dim">and {formatCount(rewirings.length - kWires)} more sources</p>}
    </>
  );
}

/** A node by its op and number; a press goes to a state at which it is there, and selects it. */
function NodeLink({ node, state }: { node: number; state: number }) {
  const { graph } = useRewrites();
  const shown = graph.shown.value;
  if (shown === null || node >= shown.loaded.model.nodeCount) return <span class="mono">#{node}</span>;
  const { model } = shown.loaded;
  const [name] = stripAnsi(model.labelAt(node, state)).split("\n");
  return (
    <button
      class="link mono"
      onClick={() => {
        if (!model.isAlive(node, shown.state)) graph.goToState(state);
        graph.visit(node);
      }}
    >
      {name} #{node}
    </button>
  );
}
