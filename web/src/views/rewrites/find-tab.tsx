// The search of the rewrites: a box, what it found in a list, and the states at which it starts and ceases to find.
import { useLayoutEffect, useRef } from "preact/hooks";
import { stripAnsi } from "../../lib/ansi";
import { countKinds } from "../../lib/graph/pass-changes";
import { nearWords } from "../../lib/near-words";
import { formatCount, formatPlural } from "../../lib/text";
import type { WireSearch } from "../../lib/graph/wire-history";
import type { FindScope } from "./state/find";
import { useRewrites } from "./context";
import { FoundMatches } from "./find-matches";
import { KeyCap } from "../parts/key-cap";
import { VirtualList } from "../parts/virtual-list";

const kRow_px = 22;

export function FindTab() {
  const { find } = useRewrites();
  return (
    <div class="find-tab">
      <FindBox />
      {find.scope.value === "matches" ? <FoundMatches /> : <FoundNodes />}
    </div>
  );
}

function FindBox() {
  const { find } = useRewrites();
  const input = useRef<HTMLInputElement>(null);
  const { asked } = find;
  // Before anything else happens: the next key is text already.
  useLayoutEffect(() => {
    if (asked.value === 0) return;
    input.current?.focus();
    input.current?.select();
  }, [asked.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") find.go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") input.current?.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isNodes = find.scope.value === "nodes";
  return (
    <div class="find-box" role="search">
      <input
        ref={input}
        type="text"
        placeholder={isNodes ? "op=LOAD fanout>8 src(op=INDEX)" : "symbolic.py:187, or part of a rule"}
        aria-label="Search; Enter steps to the next, Shift and Enter to the one before"
        spellcheck={false}
        value={find.text.value}
        onInput={(event) => find.set(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="find-scope">
        <Scope scope="nodes" title="nodes here" />
        <Scope scope="matches" title="matches by rule, everywhere" />
        <span class="dim find-passes">
          <KeyCap command="find.next" /> <KeyCap command="find.previous" />
        </span>
      </div>
    </div>
  );
}

function Scope({ scope, title }: { scope: FindScope; title: string }) {
  const { find } = useRewrites();
  const isOn = find.scope.value === scope;
  return (
    <button class={isOn ? "pill on" : "pill"} aria-pressed={isOn} onClick={() => find.set(find.text.value, scope)}>
      {title}
    </button>
  );
}

function FoundNodes() {
  const { find, graph } = useRewrites();
  const { wish, value, problem } = find.nodes.value;
  const shown = graph.shown.value;
  if (problem !== null) return <p class="removed note">{problem.message}</p>;
  if (wish === null || shown === null) return <Grammar />;
  if (value === null) return <p class="dim note">…</p>;
  const { error, total } = value.data;
  if (error !== null) return <Misread text={find.text.value} error={error} />;
  const { model } = shown.loaded;
  const hits = find.hits.value;
  const current = hits.indexOf(graph.node.value ?? -1);
  return (
    <>
      <p class="find-count" aria-live="polite">
        {formatPlural(total, "node")} at {shown.state === 0 ? "the input" : `match ${formatCount(shown.state)}`}
        {current >= 0 && <span class="dim"> · {formatCount(current + 1)}</span>}
      </p>
      <Bisect />
      {total === 0 && <NothingFound />}
      <VirtualList
        count={hits.length}
        rowHeight_px={kRow_px}
        current={current}
        currentId={current < 0 ? undefined : `hit-${current}`}
        label="Nodes found"
        role="listbox"
        renderRow={(i) => {
          const node = hits[i]!;
          const [name, ...rest] = stripAnsi(model.labelAt(node, shown.state)).split("\n");
          return (
            <div
              key={node}
              id={`hit-${i}`}
              class={i === current ? "hit current" : "hit"}
              role="option"
              aria-selected={i === current}
              onClick={() => graph.visit(node)}
            >
              <span class="dim number">{node}</span>
              <strong>{name}</strong> <span class="dim">{rest.join(" ")}</span>
            </div>
          );
        }}
      />
    </>
  );
}

const kOffered = 4;

/** Suggests searches that would find something: ops of a similar name, the same text among all nodes' rules. */
function NothingFound() {
  const { find, graph } = useRewrites();
  const { model } = graph.shown.value!.loaded;
  const query = find.text.value.trim();
  const op = /^(?:op=)?([\w.]+)$/i.exec(query)?.[1];
  const ops = op === undefined ? [] : nearWords(op, countKinds(model, graph.shown.value!.state).keys(), kOffered);
  const isPlain = !/[=<>~()]/.test(query);
  return (
    <div class="note find-offers">
      {ops.map((name) => (
        <p key={name}>
          <button class="link mono" onClick={() => find.set(`op=${name}`)}>
            op={name}
          </button>{" "}
          <span class="dim">is here</span>
        </p>
      ))}
      {!isPlain && !query.startsWith('"') && (
        <p>
          <button class="link mono" onClick={() => find.set(`"${query.replaceAll('"', "")}"`)}>
            "{query.replaceAll('"', "")}"
          </button>{" "}
          <span class="dim">as text of the label</span>
        </p>
      )}
      {isPlain && (
        <p>
          <button class="link" onClick={() => find.set(query, "matches")}>
            matches by rule, everywhere
          </button>
        </p>
      )}
    </div>
  );
}

/** The states at which the search starts, and ceases, to find something. */
function Bisect() {
  const { find, graph } = useRewrites();
  const first = find.fromStart.value.value?.data.first_state;
  const next = find.nodes.value.value?.data.first_state;
  const state = graph.shown.value?.state ?? 0;
  const link = (to: number) => (
    <button class="link" onClick={() => graph.goToState(to)}>
      {to === 0 ? "the input" : `match ${formatCount(to)}`}
    </button>
  );
  const changesAt = next === null || next === undefined ? null : next.some === state ? next.none : next.some;
  return (
    <p class="find-bisect dim">
      {first?.some === null && <FoundNowhere />}
      {first !== undefined && first !== null && first.some !== null && <>first found at {link(first.some)}</>}
      {changesAt !== null && changesAt !== undefined && changesAt !== state && (
        <>
          {" · "}
          {next!.some === state ? "next without any" : "next with one"}: {link(changesAt)}
        </>
      )}
    </p>
  );
}

/** No match of the pass has it: the way to a pass that does. */
function FoundNowhere() {
  const { elsewhere } = useRewrites().find;
  const progress = elsewhere.progress.value;
  const isOver = progress !== null && progress.done === progress.of;
  return (
    <>
      Found at no match of this pass{isOver && `, nor of the other ${formatCount(progress.of)}`}.{" "}
      {progress === null && (
        <button class="link" onClick={elsewhere.look}>
          look in the other passes
        </button>
      )}
      {progress !== null &&
        !isOver &&
        `Looking: ${formatCount(progress.done)} of ${formatPlural(progress.of, "pass", "passes")}`}
    </>
  );
}

/** A query that is not understood: what stands before the place, the place, and what may stand there. */
function Misread({ text, error }: { text: string; error: NonNullable<WireSearch["error"]> }) {
  const query = text.trim();
  return (
    <div class="note">
      <pre class="wrap">
        {query.slice(0, error.at)}
        <mark>{query.slice(error.at, error.at + 1) || " "}</mark>
        {query.slice(error.at + 1)}
      </pre>
      <p class="removed">{error.message}</p>
    </div>
  );
}

function Grammar() {
  const { find } = useRewrites();
  const examples = [
    ["op=LOAD,STORE", "ops by name"],
    ["half", "text of the label"],
    ["fanout>8 -op=CONST", "often used, no constants"],
    ["op=LOAD src(op=INDEX)", "with such a source"],
    ["versions>3", "rewritten again and again"],
    ["rule~symbolic", "made or rewritten by such a rule"],
  ] as const;
  return (
    <div class="note find-grammar">
      {examples.map(([query, means]) => (
        <p key={query}>
          <button class="link mono" onClick={() => find.set(query, "nodes")}>
            {query}
          </button>{" "}
          <span class="dim">{means}</span>
        </p>
      ))}
      <p class="dim">
        Text: <code>op dtype arg tag label rule</code> with <code>= != ~</code>. Numbers:{" "}
        <code>fanout fanin born died versions id</code> with <code>= != &lt; &lt;= &gt; &gt;=</code>. Neighbours:{" "}
        <code>src(…) src1(…) user(…)</code>. Side by side means and; also <code>or not ( )</code>.
      </p>
    </div>
  );
}
