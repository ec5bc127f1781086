// Details under the lanes, in tabs: the chosen time range by name, the selected event or allocation, stacks
// sampled, the search's hits. The upper edge resizes it; Q folds it.
import { kNotInReport } from "../../lib/report";
import type { TimelineSource } from "../../lib/timeline/source";
import type { DetailsTab } from "../../lib/timeline/sight";
import { useApp, useCommand } from "../parts/app-context";
import { useTimeline } from "./context";
import { KeyCap } from "../parts/key-cap";
import { Splitter } from "../parts/splitter";
import { TimelineEventTab } from "./event-tab";
import { TimelineRangeTab } from "./range-tab";
import { TimelineSearchTab } from "./search-tab";
import { TimelineStacksTab } from "./stacks-tab";

const kTabs: readonly { id: DetailsTab; title: string }[] = [
  { id: "range", title: "Selection" },
  { id: "event", title: "Event" },
  { id: "stacks", title: "Stacks" },
  { id: "search", title: "Search" },
];

export function TimelineDrawer({ source }: { source: TimelineSource }) {
  const { panes } = useApp();
  const timeline = useTimeline();
  const pane = panes.bottom;
  const fold = (folded: boolean) => (pane.value = { ...pane.value, folded });
  useCommand("timeline.drawer", () => fold(!pane.value.folded));
  const hasStacks = source.timeline.lanes.some((lane) => lane.sampleCount > 0);
  const tabs = kTabs.filter(({ id }) => id !== "stacks" || hasStacks);
  const shown = tabs.find((tab) => tab.id === timeline.tab.value) ?? tabs[0]!;
  return (
    <section
      class="timeline-drawer"
      aria-label="Details"
      style={pane.value.folded ? undefined : { height: `${pane.value.size_px}px` }}
    >
      <ResizeEdge />
      <div class="drawer-tabs">
        <div role="tablist" aria-label="Details">
          {tabs.map((tab) => (
            <button
              key={tab.id}
              role="tab"
              class="drawer-tab"
              aria-selected={tab === shown && !pane.value.folded}
              onClick={() => {
                if (tab === shown) fold(!pane.value.folded);
                else fold(false);
                timeline.tab.value = tab.id;
              }}
            >
              {tab.title}
            </button>
          ))}
        </div>
        <span class="spacer" />
        <button class="quiet" onClick={() => fold(!pane.value.folded)}>
          {pane.value.folded ? "unfold" : "fold"} <KeyCap command="timeline.drawer" />
        </button>
      </div>
      {!pane.value.folded && (
        <div class="drawer-body" role="tabpanel" aria-label={shown.title} tabIndex={0} data-scrolls>
          {timeline.problem.value?.kind === kNotInReport && (
            <p class="dim note" role="status">
              {timeline.problem.value.message}
            </p>
          )}
          {shown.id === "range" && <TimelineRangeTab shown={source.timeline} />}
          {shown.id === "event" && <TimelineEventTab source={source} />}
          {shown.id === "stacks" && <TimelineStacksTab shown={source.timeline} />}
          {shown.id === "search" && <TimelineSearchTab shown={source.timeline} />}
        </div>
      )}
    </section>
  );
}

const kLeast_px = 120;

function ResizeEdge() {
  const { panes } = useApp();
  const pane = panes.bottom;
  const most_px = window.innerHeight * 0.75;
  const shrink = (px: number) => {
    pane.value = { folded: false, size_px: Math.min(Math.max(pane.value.size_px - px, kLeast_px), most_px) };
  };
  return (
    <Splitter
      class="drawer-edge"
      orientation="horizontal"
      label="Height of the details"
      value={pane.value.size_px}
      most={most_px}
      onMove={shrink}
    />
  );
}
