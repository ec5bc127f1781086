// What the keys do to the graph.
import { useApp, useCommand } from "./app-context";

export function useGraphCommands(): void {
  const { graph, camera } = useApp();
  const visitFirst = (side: "sources" | "users") => {
    const [first] = graph.lit.value?.[side] ?? [];
    const shown = graph.shown.value;
    if (first !== undefined && shown?.loaded.model.isBox(first, shown.state)) graph.visit(first);
  };
  useCommand("graph.fit", camera.fit);
  useCommand("graph.zoomIn", () => camera.zoom(1.3));
  useCommand("graph.zoomOut", () => camera.zoom(1 / 1.3));
  useCommand("graph.zoomToSelection", () => graph.node.value !== null && camera.show([graph.node.value], true));
  useCommand("graph.zoomToChange", () => {
    const changes = graph.shown.value?.changes;
    if (changes !== undefined) camera.show([...changes.made, ...changes.rewritten, ...changes.removed], true);
  });
  useCommand("node.source", () => visitFirst("sources"));
  useCommand("node.user", () => visitFirst("users"));
  useCommand("node.origin", () => {
    const node = graph.node.value;
    if (node !== null) graph.goToState(graph.shown.value?.loaded.model.born.at(node) ?? 0);
  });
  useCommand("page.clear", () => graph.select(null));
}
