// Under the graph's head, where the graph is not as its epoch has it, or is compared: what is left out or laid out
// otherwise and how to go back, a chip each; and, while the server is at it, how far it is and how to give it up.
import type { ComponentChildren } from "preact";
import type { Focus } from "../../lib/graph/arrangement";
import type { PassModel } from "../../lib/graph/pass-model";
import { formatCount, formatPlural } from "../../lib/text";
import { useRewrites } from "./context";
import { KeyCap } from "../parts/key-cap";
import { MarkName } from "./mark-name";

export function ArrangementBar() {
  return (
    <>
      <div class="chips">
        <MarkChip />
        <FocusChip />
        <FoldChip />
        <ExcludedChip />
        <HiddenChip />
        <CompactChip />
        <BetterChip />
      </div>
      <Pending />
    </>
  );
}

interface ChipProps {
  /** Called by ×; without it there is no ×. */
  label?: string;
  onClose?: () => void;
  children: ComponentChildren;
}

function Chip({ label, onClose, children }: ChipProps) {
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

function MarkChip() {
  const { diff } = useRewrites();
  if (diff.mark.value === null) return null;
  const isOn = diff.isOn.value;
  return (
    <Chip label="Forget the mark" onClose={diff.clear}>
      <span>
        {isOn ? "compared with" : "marked"} <MarkName />
      </span>
      <button class="link" onClick={isOn ? diff.swap : diff.turn}>
        {isOn ? "swap" : "compare"} <KeyCap command={isOn ? "diff.swap" : "diff.turn"} />
      </button>
    </Chip>
  );
}

function FocusChip() {
  const { arrangement, graph } = useRewrites();
  const { focus } = arrangement.current.value;
  if (focus === null) return null;
  const { loaded, state } = graph.shown.value!;
  return (
    <Chip label="Show the whole graph" onClose={() => arrangement.set({ focus: null })}>
      {sayFocus(focus, loaded.model, state)}
      {focus.kind === "near" && (
        <Radius radius={focus.radius} onSet={(radius) => arrangement.set({ focus: { ...focus, radius } })} />
      )}
    </Chip>
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

function sayFocus(focus: Focus, model: PassModel, state: number): string {
  const name = (node: number) => {
    const kind = node < model.nodeCount ? model.kindAt(node, state)?.name : undefined;
    return `${kind ?? "node"} #${node}`;
  };
  if (focus.kind === "near") return `around ${name(focus.node)}`;
  if (focus.kind === "between") return `between ${name(focus.node)} and ${name(focus.other)}`;
  return focus.kind === "up" ? `what ${name(focus.node)} is made from` : `what is made from ${name(focus.node)}`;
}

function ExcludedChip() {
  const { arrangement } = useRewrites();
  const { withExcluded } = arrangement.current.value;
  if (withExcluded.length === 0) return null;
  return (
    <Chip label="Show none of them as boxes" onClose={() => arrangement.set({ withExcluded: [] })}>
      excluded sources of {formatPlural(withExcluded.length, "node")} as boxes
    </Chip>
  );
}

function FoldChip() {
  const { arrangement, graph } = useRewrites();
  const { folds } = graph.shown.value!.layout;
  const { fold, unfolded } = arrangement.current.value;
  if (fold < 2 || arrangement.counts.value === null) return null;
  const folded = [...folds.values()].reduce((sum, ids) => sum + ids.length, 0);
  return (
    <Chip label="Unfold all" onClose={() => arrangement.set({ fold: 0, unfolded: [] })}>
      {folds.size === 0
        ? "nothing here is alike"
        : `${formatCount(folded)} nodes folded into ${formatCount(folds.size)}`}
      {unfolded.length > 0 && (
        <button class="link" onClick={() => arrangement.set({ unfolded: [] })}>
          fold {unfolded.length} again
        </button>
      )}
    </Chip>
  );
}

function HiddenChip() {
  const { arrangement } = useRewrites();
  const counts = arrangement.counts.value;
  if (counts === null) return null;
  const showAll = () =>
    arrangement.set({
      hiddenOps: [],
      hidesConstants: false,
      hidesIndexing: false,
      hidesBodies: false,
      turnedCalls: [],
    });
  return (
    <>
      {counts.hidden > 0 && (
        <Chip label="Show all" onClose={showAll}>
          {formatCount(counts.hidden)} of {formatCount(counts.of)} nodes hidden
        </Chip>
      )}
      {counts.leftOut > 0 && <Chip>{formatCount(counts.leftOut)} nodes further away left out</Chip>}
    </>
  );
}

function CompactChip() {
  const { arrangement, graph } = useRewrites();
  if (arrangement.current.value.compact !== graph.shown.value!.state) return null;
  return (
    <Chip label="Put it back" onClose={() => arrangement.set({ compact: null })}>
      this match alone, compact
    </Chip>
  );
}

function BetterChip() {
  const { arrangement } = useRewrites();
  if (arrangement.current.value.better) {
    return (
      <Chip label="Put it back" onClose={() => arrangement.set({ better: false })}>
        better layout
      </Chip>
    );
  }
  if (!arrangement.isBetterThere.value) return null;
  return (
    <Chip>
      a better layout was found
      <button class="link" onClick={() => arrangement.set({ better: true })}>
        use it <KeyCap command="view.better" />
      </button>
    </Chip>
  );
}

/** Work of the server that the graph waits for; what went wrong with it. */
function Pending() {
  const { arrangement } = useRewrites();
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
