// Details under the lanes, in tabs: the chosen time range by name, the selected event, memory at its peak, the search's
// hits. The upper edge resizes it; Q folds it.
import type { TimelineSource } from "../../lib/timeline/source";
import type { TimelineTab } from "./state/timeline-state";
import { useApp, useCommand } from "../parts/app-context";
import { useTimeline } from "./context";
import { KeyCap } from "../parts/key-cap";
import { TimelineEventTab } from "./event-tab";
import { TimelineMemoryTab } from "./memory-tab";
import { TimelineRangeTab } from "./range-tab";
import { TimelineSearchTab } from "./search-tab";

const kTabs: readonly { id: TimelineTab; title: string }[] = [
  { id: "range", title: "Selection" },
  { id: "event", title: "Event" },
  { id: "memory", title: "Memory peak" },
  { id: "search", title: "Search" },
];

export function TimelineDrawer({ source }: { source: TimelineSource }) {
  const { panes } = useApp();
  const timeline = useTimeline();
  const pane = panes.bottom;
  const fold = (folded: boolean) => (pane.value = { ...pane.value, folded });
  useCommand("timeline.drawer", () => fold(!pane.value.folded));
  const hasMemory = source.timeline.lanes.some((lane) => lane.memory !== null);
  const tabs = kTabs.filter((tab) => tab.id !== "memory" || hasMemory);
  const shown = tabs.find((tab) => tab.id === timeline.tab.value) ?? tabs[0]!;
  return (
    <section
      class="timeline-drawer"
      aria-label="Details"
      style={pane.value.folded ? undefined : { height: `${pane.value.size_px}px` }}
    >
      <ResizeEdge />
      <div class="drawer-tabs" role="tablist">
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
        <span class="spacer" />
        <button class="quiet" onClick={() => fold(!pane.value.folded)}>
          {pane.value.folded ? "unfold" : "fold"} <KeyCap command="timeline.drawer" />
        </button>
      </div>
      {!pane.value.folded && (
        <div class="drawer-body" role="tabpanel" data-scrolls>
          {shown.id === "range" && <TimelineRangeTab shown={source.timeline} />}
          {shown.id === "event" && <TimelineEventTab source={source} />}
          {shown.id === "memory" && <TimelineMemoryTab source={source} />}
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
  const grow = (px: number) => {
    const most = window.innerHeight * 0.75;
    pane.value = { folded: false, size_px: Math.min(Math.max(pane.value.size_px + px, kLeast_px), most) };
  };
  return (
    <div
      class="drawer-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the details"
      aria-valuenow={Math.round(pane.value.size_px)}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && grow(-event.movementY)}
      onKeyDown={(event) => {
        const by_px = event.key === "ArrowUp" ? 16 : event.key === "ArrowDown" ? -16 : 0;
        if (by_px === 0) return;
        grow(by_px);
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
