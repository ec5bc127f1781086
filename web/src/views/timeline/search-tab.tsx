// The events that the search found, by time; a click shows one.
import { kSlowest } from "../../lib/timeline/event-search";
import { isSameEvent, type EventItem } from "../../lib/timeline/events";
import type { Timeline } from "../../lib/timeline/timeline";
import { formatCount, formatPlural } from "../../lib/text";
import type { Hits } from "../../lib/timeline/source";
import { AnsiText } from "../parts/ansi-text";
import { useTimeline } from "./context";
import { Duration, Moment } from "../parts/figure";
import { KeyCap } from "../parts/key-cap";
import { Table, type Column } from "../parts/table";

export function TimelineSearchTab({ shown }: { shown: Timeline }) {
  const timeline = useTimeline();
  const hits = timeline.hits.value ?? kNone;
  if (timeline.find.value === "") {
    return (
      <p class="dim note">
        <KeyCap command="page.search" /> searches names, <KeyCap command="timeline.slowest" /> finds the slowest of each
        name; what is found is ticked on the lanes at any zoom.
      </p>
    );
  }
  const show = (hit: EventItem) => {
    timeline.hit.value = hit;
    timeline.show(hit);
    timeline.tab.value = "search";
  };
  const columns: Column<EventItem>[] = [
    {
      id: "name",
      title: "Name",
      align: "left",
      show: (hit) => (
        <button class={classOfName(hit)} onClick={() => show(hit)}>
          <AnsiText text={hit.label} />
        </button>
      ),
    },
    { id: "lane", title: "Lane", align: "left", show: (hit) => shown.lanes[hit.lane]!.title },
    { id: "start", title: "Start", show: (hit) => <Moment ns={hit.start} /> },
    { id: "dur", title: "Duration", show: (hit) => <Duration ns={hit.dur} /> },
  ];
  return (
    <>
      <p class="drawer-summary">
        {formatPlural(hits.total, "event")}{" "}
        {timeline.find.value.trim() === kSlowest
          ? "among the longest thousandth of their name, at least its longest"
          : `with “${timeline.find.value}”`}
        {hits.total > 0 && (
          <span class="faint">
            <kbd>Enter</kbd> in the search steps to the next, with <kbd>⇧</kbd> to the last
          </span>
        )}
      </p>
      <Table
        columns={columns}
        rows={hits.items}
        keyOf={(hit) => `${hit.lane} ${hit.event}`}
        label="Events found"
        isCurrent={(hit) => isSameEvent(hit, timeline.selectedEvent.value)}
      />
      {hits.items.length < hits.total && (
        <p class="dim note">
          The first {formatCount(hits.items.length)} are listed; Enter in the search steps through all.
        </p>
      )}
    </>
  );
}

const kNone: Hits = { total: 0, items: [] };

function classOfName({ isError }: EventItem): string {
  return isError ? "link name error" : "link name";
}
