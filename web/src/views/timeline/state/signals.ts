// The timeline's signals: the profile, and what of it is looked at.
import { computed, signal } from "@preact/signals";
import { wholeRange, type TimeRange } from "../../../lib/time";
import type { Clock } from "../../../lib/timeline/clock";
import { lanesAtFirst } from "../../../lib/timeline/lanes-at-first";
import { kByStart } from "../../../lib/timeline/event-order";
import type { EventDetail, EventItem } from "../../../lib/timeline/events";
import type { IdleGap } from "../../../lib/timeline/idle";
import {
  kFirstTable,
  type ColourBy,
  type DetailsTab,
  type MemoryView,
  type TableLook,
  type Top,
} from "../../../lib/timeline/sight";
import type { Hits, TimelineSource } from "../../../lib/timeline/source";
import type { Area } from "../../../lib/timeline/stats";
import type { Problem } from "../../../lib/result";
import type { Opening } from "../../../state/opening";
import { createLaneArrangement } from "./lane-arrangement";
import type { TimelineItem } from "./timeline-state";

export type TimelineSignals = ReturnType<typeof createTimelineSignals>;

/** TimelineState says what each of them is. captureName is read when the lanes are arranged otherwise. */
export function createTimelineSignals(captureName: () => string | null) {
  const source = signal<TimelineSource | null>(null);
  const bounds = computed(() => wholeRange(source.value?.timeline.dur_ns ?? 0));
  const selected = signal<TimelineItem | null>(null);
  return {
    source,
    problem: signal<Problem | null>(null),
    opening: signal<Opening | null>(null),
    bounds,
    range: signal<TimeRange>(bounds.value),
    selected,
    selectedEvent: computed(() => (selected.value !== null && "event" in selected.value ? selected.value : null)),
    selectedAllocation: computed(() =>
      selected.value !== null && "allocation" in selected.value ? selected.value : null,
    ),
    detail: signal<EventDetail | null>(null),
    area: signal<Area | null>(null),
    gap: signal<IdleGap | null>(null),
    colourBy: signal<ColourBy>("class"),
    marks: signal<readonly TimeRange[]>([]),
    lanes: createLaneArrangement(captureName, () => lanesAtFirst(source.peek()?.timeline.lanes ?? []).folded),
    memory: signal<MemoryView>({ shown: "blocks", order: "time" }),
    clock: signal<Clock>(null),
    find: signal(""),
    hits: signal<Hits | null>(null),
    hitOrder: signal(kByStart),
    hit: signal<EventItem | null>(null),
    tab: signal<DetailsTab>("range"),
    table: signal<TableLook>(kFirstTable),
    top: signal<Top | null>(null),
    arrivedTop: signal<{ top: Top | null } | null>(null),
    revealed: signal<{ item: TimelineItem } | null>(null),
  };
}
