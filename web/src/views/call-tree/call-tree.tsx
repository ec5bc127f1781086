// The call tree: modules, operators and calls of the host, the kernels that they launched, each with the time below it.
import { useMemo } from "preact/hooks";
import { linkToEvent } from "../../lib/links";
import { stripAnsi } from "../../lib/ansi";
import { kCallFields } from "../../lib/device-fields";
import type { WireCallNode } from "../../lib/devices";
import { formatCount, formatDuration, formatPlural, formatShare } from "../../lib/text";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Name, Neighbours } from "../parts/name";
import { VirtualList } from "../parts/virtual-list";
import { FilterBox } from "../parts/filter-box";
import { Nothing } from "../parts/nothing";
import type { OpenView } from "../view";
import { createCallTree, type CallTreeState } from "./state";
import { keysOfNodes, listRows, type TreeRow } from "./tree-rows";
import "./call-tree.css";

const kRowHeight_px = 24;

export const openCallTree: OpenView = (app, isShown) => {
  const calls = createCallTree(app, isShown);
  return () => <CallTree calls={calls} />;
};

function CallTree({ calls }: { calls: CallTreeState }) {
  const { value, problem } = calls.tree.value;
  return (
    <div class="work whole">
      <header class="work-head">
        <FilterBox hint="Filter by name" label="Filter calls" text={calls.text.value} onText={calls.setText} />
        {value !== null && <span class="dim">{formatPlural(value.data.nodes.length, "place")}</span>}
      </header>
      {problem !== null ? (
        <Blank title="The call tree cannot be shown" lines={[problem.message]} tone="broken" />
      ) : value === null ? (
        <Blank title="Finding what launched the work" />
      ) : value.data.nodes.length === 0 ? (
        <p class="dim note">
          <Nothing of="device_work" none="No device did any work in this capture." />
        </p>
      ) : (
        <Tree key={value.wish} calls={calls} nodes={value.data.nodes} />
      )}
    </div>
  );
}

function Tree({ calls, nodes }: { calls: CallTreeState; nodes: readonly WireCallNode[] }) {
  const { place } = useApp();
  const keys = useMemo(() => keysOfNodes(nodes), [nodes]);
  const names = useMemo(() => nodes.map(({ name }) => name), [nodes]);
  const keysToggled = calls.toggled.value;
  const toggled = useMemo(
    () => new Set(keys.flatMap((key, at) => (keysToggled.has(key) ? [at] : []))),
    [keys, keysToggled],
  );
  const rows = listRows(nodes, toggled, calls.text.value);
  const whole_ns = nodes.reduce((sum, { parent, total_ns }) => sum + (parent === null ? total_ns : 0), 0);
  const named = calls.chosen.value;
  const current = named === undefined ? 0 : rows.findIndex(({ at }) => keys[at] === named);
  const toggle = (at: number) => calls.toggle(keys[at]!);
  const choose = (at: number) => calls.choose(keys[at]!);
  const row = rows[current];
  const move = (by: number) => {
    const next = rows[Math.min(Math.max(current + by, 0), rows.length - 1)];
    if (next !== undefined) choose(next.at);
  };
  const setOpen = (open: boolean) => {
    if (row?.hasChildren === true && row.isOpen !== open) toggle(row.at);
    else if (!open && row !== undefined && row.node.parent !== null) choose(row.node.parent);
  };
  useCommand("calls.previous", () => move(-1));
  useCommand("calls.next", () => move(1));
  useCommand("calls.open", () => setOpen(true));
  useCommand("calls.close", () => setOpen(false));
  useCommand("calls.worst", () => {
    if (row !== undefined) place.follow(linkToWorstOf(row.node));
  });
  if (rows.length === 0) return <p class="dim note">Nothing holds all these words.</p>;
  return (
    <div class="call-tree">
      <div class="call-row head">
        <span>module, operator, call, kernel</span>
        <span>Total</span>
        <span title={kCallFields.share.hint}>{kCallFields.share.title}</span>
        <span>Calls</span>
        <span>Launches</span>
        <span />
      </div>
      <Neighbours names={names}>
        <VirtualList
          count={rows.length}
          rowHeight_px={kRowHeight_px}
          current={current}
          label="Call tree"
          role="tree"
          currentId={row === undefined ? undefined : idOf(row)}
          renderRow={(index) => (
            <CallRow
              key={rows[index]!.at}
              row={rows[index]!}
              whole_ns={whole_ns}
              isCurrent={index === current}
              onChoose={() => choose(rows[index]!.at)}
              onToggle={() => toggle(rows[index]!.at)}
            />
          )}
        />
      </Neighbours>
    </div>
  );
}

const idOf = ({ at }: TreeRow) => `call-${at}`;
const linkToWorstOf = ({ worst }: WireCallNode) => linkToEvent({ ...worst, name: stripAnsi(worst.name) });

interface CallRowProps {
  row: TreeRow;
  whole_ns: number;
  isCurrent: boolean;
  onChoose: () => void;
  onToggle: () => void;
}

function CallRow({ row, whole_ns, isCurrent, onChoose, onToggle }: CallRowProps) {
  const { place } = useApp();
  const { node, depth, hasChildren, isOpen } = row;
  const share = whole_ns === 0 ? 0 : node.total_ns / whole_ns;
  const name = stripAnsi(node.name);
  return (
    <div
      id={idOf(row)}
      class={isCurrent ? "call-row current" : "call-row"}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isCurrent}
      onClick={() => {
        onChoose();
        if (hasChildren) onToggle();
      }}
    >
      <span class="call-name" style={{ paddingLeft: `${14 * depth}px` }} title={`${node.kind} ${name}`}>
        <span class="twist">{hasChildren ? (isOpen ? "▾" : "▸") : ""}</span>
        <span class={`call-kind ${node.kind}`}>{node.kind}</span> <Name name={node.name} />
        {node.told_by !== null && (
          <span class="call-captured" title="As the capture of the replayed graph tells: the trace has no such call">
            captured
          </span>
        )}
      </span>
      <span title={`${node.total_ns} ns`}>{formatDuration(node.total_ns)}</span>
      <span class="call-share">
        <span class="call-bar" style={{ width: `${100 * share}%` }} />
        <span>{formatShare(share)}</span>
      </span>
      <span>{node.kind === "kernel" ? "" : formatCount(node.calls)}</span>
      <span>{formatCount(node.launches)}</span>
      <button
        class="link"
        title="The longest launch below it, on the timeline"
        onClick={(event) => {
          event.stopPropagation();
          place.follow(linkToWorstOf(node));
        }}
      >
        longest
      </button>
    </div>
  );
}
