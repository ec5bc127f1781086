// The chosen time range, or the whole profile: one line a name, with its worst event a click away.
import { effect, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { stripAnsi } from "../../lib/ansi";
import { sortStats, type Area, type AreaStats, type NameStats, type StatsColumn } from "../../lib/timeline/stats";
import type { Timeline } from "../../lib/timeline/timeline";
import { formatCount, formatDuration, formatPlural, formatShare } from "../../lib/text";
import { formatMoment, spanOf } from "../../lib/time";
import { AnsiText } from "../parts/ansi-text";
import { useTimeline } from "./context";
import { CopyButton } from "../parts/copy-button";
import { Duration, Figure, Share } from "../parts/figure";
import { Table, type Column } from "../parts/table";
import { useAnswer } from "./use-answer";

export function TimelineRangeTab({ shown }: { shown: Timeline }) {
  const timeline = useTimeline();
  const sort = useSignal<{ column: StatsColumn; descending: boolean }>({ column: "total_ns", descending: true });
  const rested = useRested(timeline.area, kRest_ms);
  const area = rested.value ?? wholeArea(shown);
  const stats = useAnswer(() => {
    const asked = rested.value ?? wholeArea(shown);
    return (source) => source.sumArea(asked);
  }, [rested, shown]);
  const { column, descending } = sort.value;
  const rows = sortStats(stats.value?.names ?? [], column, descending);
  const columns = useColumns(stats.value?.isExact ?? true);
  const isWhole = rested.value === null;
  return (
    <>
      <p class="drawer-summary">
        {summarise(shown, area, stats.value, isWhole)}
        {isWhole && <span>drag over the lanes to choose a range</span>}
        <CopyButton text={() => formatTable(rows)} label="the table as tab-separated values" />
      </p>
      <Table
        columns={columns}
        rows={rows}
        keyOf={(row) => row.name}
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
      {stats.value?.others != null && (
        <p class="dim note">
          {formatPlural(stats.value.others.names, "more name")} with {formatPlural(stats.value.others.count, "event")},
          together {formatDuration(stats.value.others.total_ns)}.
        </p>
      )}
      {stats.value?.count === 0 && <p class="dim note">No event touches this range of these lanes.</p>}
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

function useColumns(isExact: boolean): Column<NameStats>[] {
  const timeline = useTimeline();
  const time = (id: StatsColumn & `${string}_ns`, title: string, hint: string): Column<NameStats> => ({
    id,
    title,
    hint,
    show: (row) => <Duration ns={row[id]} />,
  });
  const nearly = isExact ? "" : ", within about a percent";
  return [
    {
      id: "name",
      title: "Name",
      align: "left",
      show: (row) => (
        <button
          class="link name"
          title="Tick its events on the lanes"
          onClick={() => (timeline.find.value = stripAnsi(row.label))}
        >
          <AnsiText text={row.label} />
        </button>
      ),
    },
    { id: "count", title: "Count", show: (row) => <Figure text={formatCount(row.count)} exact={row.count} /> },
    time("total_ns", "Total", "Time inside the range; inner events count beside the outer ones that hold them"),
    time("self_ns", "Self", "Of whole events, what no inner event covers"),
    {
      id: "share",
      title: "Share",
      hint: "Total over the range and its lanes",
      show: (row) => <Share of={row.share} />,
    },
    time("mean_ns", "Mean", "Of whole events, also where they reach out of the range"),
    time("median_ns", "Median", `Of whole events${nearly}`),
    time("p90_ns", "P90", `Nine in ten are no longer${nearly}`),
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

function wholeArea(shown: Timeline): Area {
  return { range: { from: 0, to: shown.dur_ns }, lanes: shown.lanes.map((_, l) => l) };
}

function summarise(shown: Timeline, area: Area, stats: AreaStats | null, isWhole: boolean): string {
  const withEvents = area.lanes.filter((l) => shown.lanes[l]!.rowCount > 0);
  const lanes =
    withEvents.length <= 3 ? withEvents.map((l) => shown.lanes[l]!.title).join(", ") : `${withEvents.length} lanes`;
  const times = isWhole ? "Whole profile" : `${formatMoment(area.range.from)} … ${formatMoment(area.range.to)}`;
  const events = stats === null ? "…" : formatPlural(stats.count, "event");
  const busy = stats?.busy == null ? "" : ` · busy ${formatShare(stats.busy)}`;
  return `${times} · ${formatDuration(spanOf(area.range))} · ${lanes} · ${events}${busy}`;
}

function formatTable(rows: readonly NameStats[]): string {
  const head = "name\tcount\ttotal_ns\tself_ns\tshare\tmean_ns\tmedian_ns\tp90_ns\tmax_ns";
  const lines = rows.map((row) =>
    [
      stripAnsi(row.label),
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
