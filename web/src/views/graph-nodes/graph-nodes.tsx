// The nodes of a replayed graph, a strip of them to scale, and the chosen one beside them.
import { linkToEvent } from "../../lib/links";
import { dataOf } from "../../state/fetched";
import { spreadOf, type WireNode, type WireReplays } from "../../lib/replays";
import { formatCount, formatDuration, formatPlural } from "../../lib/text";
import { useApp, useCommand } from "../parts/app-context";
import { Facts } from "../parts/facts";
import { Duration } from "../parts/figure";
import { KernelNaming, SameNode } from "../parts/kernel-naming";
import { KeyCap } from "../parts/key-cap";
import { ListExport, ListFilter, ListTable, useListCommands, WhenFetched } from "../parts/list-view/list-view";
import { Name } from "../parts/name";
import { OnlyRank } from "../parts/only-rank";
import { Section } from "../parts/section";
import { Split } from "../parts/split";
import { useScopedName } from "../parts/use-scoped-name";
import { Nothing } from "../parts/nothing";
import type { OpenView } from "../view";
import { NodeStrip } from "./node-strip";
import { createGraphNodes, type GraphNodesState } from "./state";
import "./graph-nodes.css";

export const openGraphNodes: OpenView = (app, isShown) => {
  const state = createGraphNodes(app, isShown);
  return () => <GraphNodes state={state} />;
};

function GraphNodes({ state }: { state: GraphNodesState }) {
  const { place } = useApp();
  useListCommands(state.list, { previous: "graph-nodes.previous", next: "graph-nodes.next" });
  useCommand("graph-nodes.slowest", () => {
    const row = state.list.chosen.value;
    if (row !== null) place.follow(linkToEvent(row.worst));
  });
  return (
    <WhenFetched fetched={state.nodes.value} waiting="Naming the nodes of graphs" broken="The graph cannot be shown">
      {({ ranks }) => (
        <Split
          left={null}
          leftLabel=""
          middle={<NodeTable state={state} ranks={ranks} />}
          right={<NodeSide state={state} />}
          rightLabel="the node"
        />
      )}
    </WhenFetched>
  );
}

function NodeTable({ state, ranks }: { state: GraphNodesState; ranks: WireRanksOf }) {
  const { list, inOrder, graph, replays } = state;
  const rank = replays.value.value?.data.ranks[0];
  return (
    <div class="work graph-nodes">
      <header class="work-head">
        <ListFilter list={list} hint="Filter: layer:3 module:mlp, or name" label="Filter nodes" />
        <GraphChoice graphs={rank?.graphs ?? []} graph={graph.value} onChoose={state.setGraph} />
        <span class="dim">
          {formatPlural(list.rows.value.length, "node")}
          {rank === undefined || inOrder.value.length === 0 ? "" : ` · ${sayNaming(rank.naming)}`}
        </span>
        <OnlyRank ranks={ranks} />
        <ListExport list={list} name={useScopedName("graph nodes")} />
      </header>
      {inOrder.value.length > 0 && <NodeStrip nodes={inOrder.value} list={list} />}
      <div class="scroll" data-scrolls tabIndex={0}>
        <ListTable
          list={list}
          label="Nodes of the graph"
          nothing={
            inOrder.value.length > 0 ? (
              `No node of this graph is so${(rank?.graphs.length ?? 0) > 1 ? "; another graph may be chosen above" : ""}.`
            ) : (
              <Nothing of="graph_launches" none="No graph was replayed in this capture." />
            )
          }
        />
      </div>
    </div>
  );
}

type WireRanksOf = readonly { rank: number | string | null }[];
type RankOfReplays = WireReplays["ranks"][number];

interface GraphChoiceProps {
  graphs: RankOfReplays["graphs"];
  graph: number;
  onChoose: (graph: number) => void;
}

function GraphChoice({ graphs, graph, onChoose }: GraphChoiceProps) {
  if (graphs.length < 2) return null;
  return (
    <select
      class="choice"
      aria-label="Graph"
      value={String(graph)}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
    >
      {graphs.map((each) => (
        <option key={each.graph} value={String(each.graph)}>
          graph {each.graph}: {formatPlural(each.nodes, "node")}, {formatPlural(each.replays, "replay")}
          {each.size === null ? "" : `, for ${each.size}`}
        </option>
      ))}
    </select>
  );
}

/** "421 of 421 kernels of replays named, 421 by order": a guess is never among the sure ones. */
export function sayNaming({ in_replays, id, order, guessed }: RankOfReplays["naming"]): string {
  const parts = [`${formatCount(id + order)} of ${formatCount(in_replays)} kernels named for sure`];
  if (guessed > 0) parts.push(`about ${formatCount(guessed)} guessed`);
  const left = in_replays - id - order - guessed;
  if (left > 0) parts.push(`${formatCount(left)} not named`);
  return parts.join(", ");
}

function NodeSide({ state }: { state: GraphNodesState }) {
  const row = state.list.chosen.value;
  return (
    <div class="node-side scroll" data-scrolls tabIndex={0}>
      {row === null ? <NoNode state={state} /> : <ChosenNode row={row} state={state} />}
    </div>
  );
}

function NoNode({ state }: { state: GraphNodesState }) {
  const unused = state.replays.value.value?.data.ranks.flatMap((rank) => rank.unused) ?? [];
  return (
    <>
      <p class="dim note">Choose a node to see what it is, and how long it took in each replay.</p>
      {unused.length > 0 && (
        <Section title="Not used" note={`${unused.length}`}>
          <ul class="dim unused-sources">
            {unused.slice(0, 50).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function ChosenNode({ row, state }: { row: WireNode; state: GraphNodesState }) {
  const { place } = useApp();
  const naming = dataOf(state.naming.value);
  const spread = spreadOf(row);
  return (
    <>
      <Section title={`Node ${row.node}`} note={formatPlural(row.count, "run")}>
        <p class="kernel-title" title={row.name}>
          <Name name={row.label ?? row.name} />
        </p>
        <Facts
          facts={[
            ["total", <Duration key="t" ns={row.total_ns} />],
            ["median", <Duration key="m" ns={row.median_ns} />],
            ["p99", <Duration key="p" ns={row.p99_ns} />],
            ["shortest", <Duration key="s" ns={row.min_ns} />],
            ["longest", <Duration key="l" ns={row.max_ns} />],
            ["spread", spread === null ? "·" : `${spread.toFixed(2)} times the median at p99`],
          ]}
        />
        <p>
          <button class="link" onClick={() => place.follow(linkToEvent(row.worst))}>
            its slowest run, replay {row.slowest_replay}, {formatDuration(row.max_ns)}, on the timeline{" "}
            <KeyCap command="graph-nodes.slowest" />
          </button>
        </p>
      </Section>
      {naming !== undefined && (
        <>
          <Section title="Over replays">
            <SameNode naming={naming} now={null} />
          </Section>
          <Section title="What it is">
            <KernelNaming naming={naming} />
          </Section>
        </>
      )}
    </>
  );
}
