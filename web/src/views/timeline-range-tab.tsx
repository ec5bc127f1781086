// The chosen time range, or the whole profile: one line a name, with its worst event a click away.
import { effect, useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Profile } from "../lib/lanes";
import { sortStats, sumArea, type Area, type AreaStats, type NameStats, type StatsColumn } from "../lib/lanes-stats";
import { formatCount, formatDuration, formatPlural } from "../lib/text";
import { formatMoment, spanOf } from "../lib/time";
import { AnsiText } from "./ansi-text";
import { useApp } from "./app-context";
import { useAsSignal } from "./as-signal";
import { CopyButton } from "./copy-button";
import { Duration, Figure, Share } from "./figure";
import { formatShare } from "./timeline-heads";
import { Table, type Column } from "./timeline-table";

export function TimelineRangeTab({ profile }: { profile: Profile }) {
  const { timeline } = useApp();
  const sort = useSignal<{ column: StatsColumn; descending: boolean }>({ column: "total_ns", descending: true });
  const rested = useRested(timeline.area, kRest_ms);
  const shown = useAsSignal(profile);
  const area = useComputed(() => rested.value ?? wholeArea(shown.value));
  const stats = useComputed(() => sumArea(shown.value, area.value));
  const { column, descending } = sort.value;
  const rows = sortStats(stats.value.names, column, descending, profile.plain);
  const columns = useColumns(profile);
  const isWhole = rested.value === null;
  return (
    <>
      <p class="drawer-summary">
        {summarise(profile, area.value, stats.value, isWhole)}
        {isWhole && <span>drag over the lanes to choose a range</span>}
        <CopyButton text={() => formatTable(profile, rows)} label="the table as tab-separated values" />
      </p>
      <Table
        columns={columns}
        rows={rows}
        keyOf={(row) => row.label}
        label="Events by name"
        sort={{
          column,
          descending,
          by: (id) => {
            const next = id as StatsColumn;
            sort.value = { column: next, descending: next === column ? !descending : next !== "name" };
          },
        }}
      />
      {rows.length === 0 && <p class="dim note">No event touches this range of these lanes.</p>}
    </>
  );
}

/** A range being dragged is summed when the pointer rests, so that dragging stays smooth over any number of events. */
const kRest_ms = 60;

function useRested<T>(source: ReadonlySignal<T>, rest_ms: number): ReadonlySignal<T> {
  const rested = useSignal(source.peek());
  useEffect(
    () =>
      effect(() => {
        const value = source.value;
        const timer = setTimeout(() => (rested.value = value), rest_ms);
        return () => clearTimeout(timer);
      }),
    [source, rested, rest_ms],
  );
  return rested;
}

function useColumns(profile: Profile): Column<NameStats>[] {
  const { timeline } = useApp();
  const time = (id: StatsColumn & `${string}_ns`, title: string, hint: string): Column<NameStats> => ({
    id,
    title,
    hint,
    show: (row) => <Duration ns={row[id]} />,
  });
  return [
    {
      id: "name",
      title: "Name",
      align: "left",
      show: (row) => (
        <button
          class="link name"
          title="Strike its events on the lanes"
          onClick={() => (timeline.find.value = profile.plain[row.label] ?? "")}
        >
          <AnsiText text={profile.strings[row.label] ?? ""} />
        </button>
      ),
    },
    { id: "count", title: "Count", show: (row) => <Figure text={formatCount(row.count)} exact={row.count} /> },
    time("total_ns", "Total", "Time inside the range; inner events count beside the outer ones that hold them"),
    time("self_ns", "Self", "The part of the total that no inner event covers"),
    {
      id: "share",
      title: "Share",
      hint: "Total over the range and its lanes",
      show: (row) => <Share of={row.share} />,
    },
    time("mean_ns", "Mean", "Of whole events, also where they reach out of the range"),
    time("median_ns", "Median", "Of whole events"),
    time("p90_ns", "P90", "Nine in ten are no longer"),
    {
      id: "max_ns",
      title: "Worst",
      hint: "The longest one; a click shows it",
      show: (row) => (
        <button class="link" onClick={() => timeline.frame(row.worst)}>
          {formatDuration(row.max_ns)} →
        </button>
      ),
    },
  ];
}

function wholeArea(profile: Profile): Area {
  return { range: { from: 0, to: profile.dur_ns }, lanes: profile.lanes.map((_, l) => l) };
}

function summarise(profile: Profile, area: Area, stats: AreaStats, isWhole: boolean): string {
  const withEvents = area.lanes.filter((l) => profile.lanes[l]!.rows.length > 0);
  const lanes =
    withEvents.length <= 3 ? withEvents.map((l) => profile.lanes[l]!.name).join(", ") : `${withEvents.length} lanes`;
  const times = isWhole ? "Whole profile" : `${formatMoment(area.range.from)} … ${formatMoment(area.range.to)}`;
  const events = formatPlural(stats.count, "event");
  return `${times} · ${formatDuration(spanOf(area.range))} · ${lanes} · ${events} · busy ${formatShare(stats.busy)}`;
}

function formatTable(profile: Profile, rows: readonly NameStats[]): string {
  const head = "name\tcount\ttotal_ns\tself_ns\tshare\tmean_ns\tmedian_ns\tp90_ns\tmax_ns";
  const lines = rows.map((row) =>
    [
      profile.plain[row.label],
      row.count,
      row.total_ns,
      row.self_ns,
      row.share.toFixed(6),
      Math.round(row.mean_ns),
      Math.round(row.median_ns),
      Math.round(row.p90_ns),
      row.max_ns,
    ].join("\t"),
  );
  return [head, ...lines].join("\n");
}
