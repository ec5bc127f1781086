// The right pane: why the graph is as it is. Tabs: the match, the selected node, the program's source, the
// printed graph, the search. Which one is open is part of the place.
import type { ComponentType } from "preact";
import { useApp, useCommand } from "../parts/app-context";
import { useRewrites } from "./context";
import { FindTab } from "./find-tab";
import { MatchTab } from "./match-tab";
import { NodeTab } from "./node-tab";
import { SourceTab, TextTab } from "./text-tabs";

const tabs: readonly { id: string; title: string; component: ComponentType }[] = [
  { id: "match", title: "Match", component: MatchTab },
  { id: "node", title: "Node", component: NodeTab },
  { id: "source", title: "Source", component: SourceTab },
  { id: "text", title: "Text", component: TextTab },
  // Whoever asks for it types already.
  { id: "find", title: "Find", component: FindTab },
];

export function Inspector() {
  const { place } = useApp();
  const { find, unfoldsExcluded } = useRewrites();
  const wanted = place.keys.value.tab;
  const shown = tabs.find((tab) => tab.id === wanted) ?? tabs[0]!;
  const open = (id: string) => place.adjust({ tab: id });
  useCommand("node.life", () => open("node"));
  useCommand("node.excluded", () => {
    unfoldsExcluded.value = shown.id !== "node" || !unfoldsExcluded.value;
    if (shown.id !== "node") open("node");
  });
  useCommand("find.next", () => find.go(1));
  useCommand("find.previous", () => find.go(-1));
  const Shown = shown.component;
  return (
    <div class="inspector">
      <div class="tabs" role="tablist">
        {tabs.map((tab) => (
          <button key={tab.id} role="tab" aria-selected={tab === shown} class="tab" onClick={() => open(tab.id)}>
            {tab.title}
          </button>
        ))}
      </div>
      <div class="tab-body" role="tabpanel" aria-label={shown.title}>
        <Shown />
      </div>
    </div>
  );
}
