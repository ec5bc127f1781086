// The nodes of a graph in order, each as wide as it takes on average, coloured by its kind of module: what one replay
// looks like. Those that the filter leaves out are faint; a guess is hatched.
import { kKindTitles, kModuleKinds, sayLayer, type WireNode } from "../../lib/replays";
import { formatDuration } from "../../lib/text";
import type { List } from "../parts/list-view/list";

const kWidth = 1000;

export function NodeStrip({ nodes, list }: { nodes: readonly WireNode[]; list: List<WireNode> }) {
  const all_ns = Math.max(
    nodes.reduce((sum, { mean_ns }) => sum + mean_ns, 0),
    1,
  );
  const kept = new Set(list.rows.value);
  const chosen = list.chosen.value;
  const kinds = kModuleKinds.filter((kind) => nodes.some((row) => row.kind === kind));
  let at_ns = 0;
  return (
    <figure class="node-strip">
      <figcaption class="dim">
        One replay, {formatDuration(all_ns)} of work, each node at its mean:{" "}
        {kinds.map((kind) => (
          <span key={kind} class="strip-kind">
            <i class={`kind-${kind}`} /> {kKindTitles[kind]}
          </span>
        ))}
      </figcaption>
      <svg
        viewBox={`0 0 ${kWidth} 34`}
        preserveAspectRatio="none"
        role="img"
        aria-label="The nodes of the graph, to scale"
      >
        {nodes.map((row) => {
          const x = (at_ns / all_ns) * kWidth;
          at_ns += row.mean_ns;
          const state = `${kept.has(row) ? "" : "left-out"} ${row === chosen ? "picked" : ""} ${row.found === "guessed" ? "guess" : ""}`;
          return (
            <rect
              key={row.node}
              class={`kind-${row.kind} ${state}`}
              x={x}
              y={row === chosen ? 0 : 5}
              width={Math.max((row.mean_ns / all_ns) * kWidth, 0.4)}
              height={row === chosen ? 34 : 24}
              onClick={() => list.choose(row)}
            >
              <title>{`${row.node}: ${row.operator ?? row.name} ${sayLayer(row)} ${formatDuration(row.mean_ns)}`}</title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
}
