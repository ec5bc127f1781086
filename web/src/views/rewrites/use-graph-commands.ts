// The keys of the graph.
import { kFirstRadius, kFold, kWhole, turnExcluded, type Focus } from "../../lib/graph/arrangement";
import { kForever } from "../../lib/graph/pass-model";
import { linkToRule } from "../../lib/links";
import { useApp, useCommand } from "../parts/app-context";
import { useRewrites } from "./context";
import { useLargest } from "./use-largest";

export function useGraphCommands(): void {
  const { place } = useApp();
  const { graph, camera, diff } = useRewrites();
  useViewCommands();
  useLargest();
  useCommand("match.rule", () => {
    const rule = graph.shown.value?.loaded.model.ruleAt(graph.shown.value.state);
    if (rule !== undefined) place.follow(linkToRule(rule));
  });
  useCommand("diff.mark", diff.setMark);
  useCommand("diff.turn", diff.turn);
  useCommand("diff.ends", diff.compareEnds);
  useCommand("diff.swap", diff.swap);
  const visitFirst = (side: "sources" | "users") => {
    const [first] = graph.lit.value?.[side] ?? [];
    const shown = graph.shown.value;
    if (first !== undefined && shown?.loaded.model.isBox(first, shown.state)) graph.visit(first);
  };
  useCommand("graph.fit", camera.fit);
  useCommand("graph.zoomIn", () => camera.zoom(1.3));
  useCommand("graph.zoomOut", () => camera.zoom(1 / 1.3));
  useCommand("graph.zoomToSelection", () => graph.node.value !== null && camera.show([graph.node.value], true));
  useCommand("graph.zoomToChange", camera.showChange);
  useCommand("node.source", () => visitFirst("sources"));
  useCommand("node.user", () => visitFirst("users"));
  useCommand("node.origin", () => {
    const node = graph.node.value;
    if (node !== null) graph.goToState(graph.shown.value?.loaded.model.born.at(node) ?? 0);
  });
  useCommand("node.end", () => {
    const model = graph.shown.value?.loaded.model;
    const end = model?.died.at(graph.node.value ?? -1) ?? kForever;
    if (model !== undefined && end < model.stateCount) graph.goToState(end);
  });
}

/** Keys that leave parts of the graph out, or lay it out otherwise; and Escape, which takes back one at a time. */
function useViewCommands(): void {
  const { graph, arrangement, diff } = useRewrites();
  const current = () => arrangement.current.peek();
  const focusOn = (makeFocus: (node: number) => Focus | null) => {
    const node = graph.node.value;
    const focus = node === null ? null : makeFocus(node);
    if (focus !== null) arrangement.set({ focus });
  };
  const widen = (by: number) => {
    const { focus } = current();
    if (focus?.kind === "near") arrangement.set({ focus: { ...focus, radius: Math.max(focus.radius + by, 1) } });
  };
  useCommand("focus.near", () => focusOn((node) => ({ kind: "near", node, radius: kFirstRadius })));
  useCommand("focus.up", () => focusOn((node) => ({ kind: "up", node })));
  useCommand("focus.down", () => focusOn((node) => ({ kind: "down", node })));
  useCommand("focus.between", () =>
    focusOn((node) => {
      const other = graph.nodeBefore.value;
      return other === null ? null : { kind: "between", node, other };
    }),
  );
  useCommand("focus.wider", () => widen(1));
  useCommand("focus.narrower", () => widen(-1));
  useCommand("node.boxes", () => {
    if (graph.node.value !== null) arrangement.set(turnExcluded(current(), graph.node.value));
  });
  useCommand("view.whole", () => arrangement.set(kWhole));
  useCommand("view.fold", () => arrangement.set({ fold: current().fold >= 2 ? 0 : kFold, unfolded: [] }));
  useCommand("view.hideOp", () => {
    const { shown, node } = graph;
    if (shown.value === null || node.value === null) return;
    const op = shown.value.loaded.model.kindAt(node.value, shown.value.state)?.name;
    if (op !== undefined) arrangement.set({ hiddenOps: [...new Set([...current().hiddenOps, op])] });
  });
  useCommand("view.compact", () => {
    const state = graph.shown.value?.state ?? null;
    arrangement.set({ compact: current().compact === state ? null : state });
  });
  useCommand("view.better", () => arrangement.set({ better: !current().better }));
  useCommand("page.clear", () => {
    if (arrangement.pending.value) arrangement.cancel();
    else if (graph.node.value !== null) graph.select(null);
    else if (current().focus !== null) arrangement.set({ focus: null });
    else if (diff.isOn.value) diff.turn();
    else return false;
    return true;
  });
}
