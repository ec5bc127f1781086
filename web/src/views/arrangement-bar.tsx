// Under the graph's head, where the graph is not as its epoch has it: what is left out or laid out otherwise, how to go
// back, and, while the server is at it, how far it is and how to give it up.
import type { ComponentChildren } from "preact";
import { formatCount } from "../lib/text";
import type { Focus } from "../lib/arrangement";
import type { StepModel } from "../lib/step-model";
import { useApp } from "./app-context";
import { KeyCap } from "./key-cap";
import { MarkName } from "./mark-name";

export function ArrangementBar() {
  const { arrangement, graph, diff } = useApp();
  const shown = graph.shown.value;
  if (shown === null) return null;
  const { focus, unfolded, compact, better } = arrangement.current.value;
  const { state, loaded, layout } = shown;
  const counts = arrangement.counts.value;
  const chips: ComponentChildren[] = [];
  if (diff.mark.value !== null) {
    chips.push(
      <Chip key="diff" label="Forget the mark" onClose={diff.clear}>
        <span>
          {diff.isOn.value ? "compared with" : "marked"} <MarkName />
        </span>
        <button class="link" onClick={diff.isOn.value ? diff.swap : diff.turn}>
          {diff.isOn.value ? "swap" : "compare"} <KeyCap command={diff.isOn.value ? "diff.swap" : "diff.turn"} />
        </button>
      </Chip>,
    );
  }
  if (focus !== null) {
    chips.push(
      <Chip key="focus" label="Show the whole graph" onClose={() => arrangement.set({ focus: null })}>
        {sayFocus(focus, loaded.model, state)}
        {focus.kind === "near" && (
          <Radius radius={focus.radius} onSet={(radius) => arrangement.set({ focus: { ...focus, radius } })} />
        )}
      </Chip>,
    );
  }
  if (layout.folds.size > 0) {
    const folded = [...layout.folds.values()].reduce((sum, ids) => sum + ids.length, 0);
    chips.push(
      <Chip key="fold" label="Unfold all" onClose={() => arrangement.set({ fold: 0, unfolded: [] })}>
        {formatCount(folded)} nodes folded into {formatCount(layout.folds.size)}
        {unfolded.length > 0 && (
          <button class="link" onClick={() => arrangement.set({ unfolded: [] })}>
            fold {unfolded.length} again
          </button>
        )}
      </Chip>,
    );
  }
  if (counts !== null && counts.hidden > 0) {
    chips.push(
      <Chip
        key="hide"
        label="Show all"
        onClose={() => arrangement.set({ hiddenOps: [], hidesConstants: false, hidesIndexing: false })}
      >
        {formatCount(counts.hidden)} of {formatCount(counts.of)} nodes hidden
      </Chip>,
    );
  }
  if (counts !== null && counts.leftOut > 0) {
    chips.push(<Chip key="limit">{formatCount(counts.leftOut)} nodes further away left out</Chip>);
  }
  if (compact === state) {
    chips.push(
      <Chip key="compact" label="Put it back" onClose={() => arrangement.set({ compact: null })}>
        this match alone, compact
      </Chip>,
    );
  }
  if (better) {
    chips.push(
      <Chip key="better" label="Put it back" onClose={() => arrangement.set({ better: false })}>
        better layout
      </Chip>,
    );
  }
  if (arrangement.isBetterThere.value) {
    chips.push(
      <Chip key="offer">
        A better layout was found
        <button class="link" onClick={() => arrangement.set({ better: true })}>
          use it
        </button>
        <KeyCap command="view.better" />
      </Chip>,
    );
  }
  return (
    <>
      {chips.length > 0 && <div class="chips">{chips}</div>}
      <Pending />
    </>
  );
}

function Chip({ label, onClose, children }: { label?: string; onClose?: () => void; children: ComponentChildren }) {
  return (
    <span class="chip">
      {children}
      {onClose !== undefined && (
        <button class="icon" title={label} aria-label={label} onClick={onClose}>
          ×
        </button>
      )}
    </span>
  );
}

function Radius({ radius, onSet }: { radius: number; onSet: (radius: number) => void }) {
  return (
    <span class="radius">
      <button class="icon" aria-label="One edge less" disabled={radius <= 1} onClick={() => onSet(radius - 1)}>
        −
      </button>
      {radius} {radius === 1 ? "edge" : "edges"}
      <button class="icon" aria-label="One edge further" onClick={() => onSet(radius + 1)}>
        +
      </button>
    </span>
  );
}

/** Work of the server that the graph waits for; what went wrong with it. */
function Pending() {
  const { arrangement } = useApp();
  const problem = arrangement.problem.value;
  if (problem !== null) {
    return (
      <div class="stream-line broken" role="alert">
        {problem.message}
        <button onClick={arrangement.cancel}>Go back</button>
      </div>
    );
  }
  if (!arrangement.pending.value) return null;
  const progress = arrangement.progress.value;
  return (
    <div class="stream-line pending" role="status">
      <progress value={progress?.done} max={progress?.of ?? 1} />
      {progress?.what ?? "laying out"}
      <button onClick={arrangement.cancel}>
        Cancel <kbd>Esc</kbd>
      </button>
    </div>
  );
}

function sayFocus(focus: Focus, model: StepModel, state: number): string {
  const name = (node: number) => `${model.kindAt(node, state)?.name ?? "node"} #${node}`;
  if (focus.kind === "near") return `around ${name(focus.node)}`;
  if (focus.kind === "between") return `between ${name(focus.node)} and ${name(focus.other)}`;
  return focus.kind === "up" ? `what ${name(focus.node)} is made from` : `what is made from ${name(focus.node)}`;
}
