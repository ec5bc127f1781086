// The events that the search found, by time; a click shows one.
import { isSameEvent } from "../lib/lanes-find";
import type { EventRef, Profile } from "../lib/lanes";
import { formatPlural } from "../lib/text";
import { AnsiText } from "./ansi-text";
import { useApp } from "./app-context";
import { Duration, Moment } from "./figure";
import { KeyCap } from "./key-cap";
import { Table, type Column } from "./timeline-table";

export function TimelineSearchTab({ profile }: { profile: Profile }) {
  const { timeline } = useApp();
  const hits = timeline.hits.value;
  if (timeline.find.value === "") {
    return (
      <p class="dim note">
        <KeyCap command="page.search" /> searches names; hits are struck on the lanes at any zoom.
      </p>
    );
  }
  const show = (hit: EventRef) => {
    timeline.hit.value = hits.indexOf(hit);
    timeline.show(hit);
    timeline.tab.value = "search";
  };
  const laneOf = (hit: EventRef) => profile.lanes[hit.lane]!;
  const columns: Column<EventRef>[] = [
    {
      id: "name",
      title: "Name",
      align: "left",
      show: (hit) => (
        <button class="link name" onClick={() => show(hit)}>
          <AnsiText text={profile.strings[laneOf(hit).label[hit.event]!] ?? ""} />
        </button>
      ),
    },
    { id: "lane", title: "Lane", align: "left", show: (hit) => laneOf(hit).name },
    { id: "start", title: "Start", show: (hit) => <Moment ns={laneOf(hit).start[hit.event]!} /> },
    { id: "dur", title: "Duration", show: (hit) => <Duration ns={laneOf(hit).dur[hit.event]!} /> },
  ];
  return (
    <>
      <p class="drawer-summary">
        {formatPlural(hits.length, "event")} with “{timeline.find.value}”
        {hits.length > 0 && (
          <span class="faint">
            <kbd>Enter</kbd> in the search steps to the next, with <kbd>⇧</kbd> to the last
          </span>
        )}
      </p>
      <Table
        columns={columns}
        rows={hits}
        keyOf={(hit) => `${hit.lane} ${hit.event}`}
        label="Events found"
        isCurrent={(hit) => isSameEvent(hit, timeline.selectedEvent.value)}
      />
    </>
  );
}
