// The selected node's sources and users, with their ports. One with a box of its own is a link to it. One without (a
// constant, a device: a line in its users' boxes) unfolds here into its whole label, its tag and its own sources, and
// may be selected for its users and biography; U unfolds all that the selected node has, Shift+U draws them as boxes.
import { useSignal } from "@preact/signals";
import { stripAnsi } from "../../lib/ansi";
import { turnExcluded } from "../../lib/graph/arrangement";
import type { PassModel } from "../../lib/graph/pass-model";
import { formatCount, formatPlural } from "../../lib/text";
import { AnsiText } from "../parts/ansi-text";
import { KeyCap } from "../parts/key-cap";
import { Section } from "../parts/section";
import { useRewrites } from "./context";

const kListed = 200;

interface SurroundingsProps {
  model: PassModel;
  state: number;
  node: number;
}

interface Neighbour {
  port: number;
  node: number;
}

export function Sources({ model, state, node }: SurroundingsProps) {
  const { unfoldsExcluded, arrangement } = useRewrites();
  const rows = sourcesOf(model, state, node);
  const excluded = rows.filter((row) => !model.isBox(row.node, state)).length;
  const isUnfolded = unfoldsExcluded.value;
  const areBoxes = arrangement.current.value.withExcluded.includes(node);
  const note = (
    <>
      {excluded > 0 && (
        <>
          <button
            class="link"
            aria-pressed={isUnfolded}
            title="Nodes that have no box of their own: the graph shows each as a line of its users"
            onClick={() => (unfoldsExcluded.value = !isUnfolded)}
          >
            {isUnfolded ? "fold" : "unfold"} {formatCount(excluded)} excluded
          </button>{" "}
          <KeyCap command="node.excluded" />
          {", "}
          <button
            class="link"
            aria-pressed={areBoxes}
            title={
              areBoxes ? "Back to lines in the node's box" : "Draw them in the graph, as boxes that lead to this node"
            }
            onClick={() => arrangement.set(turnExcluded(arrangement.current.peek(), node))}
          >
            {areBoxes ? "no boxes" : "as boxes"}
          </button>{" "}
          <KeyCap command="node.boxes" />
          {" · "}
        </>
      )}
      {formatCount(rows.length)}
    </>
  );
  return (
    <Section title="Sources" note={note}>
      {/* Turned anew, rows that were unfolded or folded one by one follow again. */}
      <Rows key={`${isUnfolded}`} model={model} state={state} rows={rows} areUnfolded={isUnfolded} />
    </Section>
  );
}

export function Users({ model, state, node }: SurroundingsProps) {
  const rows = model
    .userEdges(node, state)
    .map((edge) => ({ port: model.edgePort.at(edge), node: model.edgeUser.at(edge) }));
  return (
    <Section title="Users" note={formatCount(rows.length)}>
      <Rows model={model} state={state} rows={rows} areUnfolded={false} />
    </Section>
  );
}

function sourcesOf(model: PassModel, state: number, node: number): Neighbour[] {
  return model
    .sourceEdges(node, state)
    .map((edge) => ({ port: model.edgePort.at(edge), node: model.edgeSource.at(edge) }));
}

interface RowsProps {
  model: PassModel;
  state: number;
  rows: readonly Neighbour[];
  areUnfolded: boolean;
}

function Rows({ model, state, rows, areUnfolded }: RowsProps) {
  const { graph } = useRewrites();
  return (
    <>
      <ul class="neighbours">
        {rows.slice(0, kListed).map((row) =>
          model.isBox(row.node, state) ? (
            <li key={`${row.port}.${row.node}`}>
              <span class="dim">{row.port}</span>
              <button class="link mono" onClick={() => graph.visit(row.node)}>
                {onOneLine(model, state, row.node)}
              </button>
            </li>
          ) : (
            <Excluded
              key={`${row.port}.${row.node}`}
              model={model}
              state={state}
              row={row}
              isOpenAtFirst={areUnfolded}
            />
          ),
        )}
      </ul>
      {rows.length > kListed && <p class="dim">and {formatCount(rows.length - kListed)} more</p>}
    </>
  );
}

interface ExcludedProps {
  model: PassModel;
  state: number;
  row: Neighbour;
  isOpenAtFirst: boolean;
}

function Excluded({ model, state, row, isOpenAtFirst }: ExcludedProps) {
  const isOpen = useSignal(isOpenAtFirst);
  return (
    <li>
      <span class="dim">{row.port}</span>
      <div class="excluded">
        <button
          class="link mono"
          aria-expanded={isOpen.value}
          title={isOpen.value ? "Fold it" : "It has no box of its own: unfold it here"}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <span aria-hidden="true">{isOpen.value ? "▾ " : "▸ "}</span>
          {isOpen.value ? `#${row.node}` : onOneLine(model, state, row.node)}
        </button>
        {/* Made when it is open only: what it holds may unfold further. */}
        {isOpen.value && <ExcludedNode model={model} state={state} node={row.node} />}
      </div>
    </li>
  );
}

function ExcludedNode({ model, state, node }: SurroundingsProps) {
  const { graph } = useRewrites();
  const tag = model.versionTag[model.versionAt(node, state)] ?? null;
  const sources = sourcesOf(model, state, node);
  const users = model.userEdges(node, state).length;
  return (
    <div class="excluded-node">
      <pre class="wrap node-label">
        <AnsiText text={model.labelAt(node, state)} />
      </pre>
      {tag !== null && (
        <p>
          <span class="dim">tag</span> <code>{tag}</code>
        </p>
      )}
      {sources.length > 0 && <Rows model={model} state={state} rows={sources} areUnfolded={false} />}
      <button class="link" title={`Select node #${node}`} onClick={() => graph.select(node)}>
        its {formatPlural(users, "user")} and biography
      </button>
    </div>
  );
}

function onOneLine(model: PassModel, state: number, node: number): string {
  return stripAnsi(model.labelAt(node, state)).split("\n").join(" ");
}
