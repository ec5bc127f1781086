// The chosen time range, or the whole profile: one line a name, with its worst event a click away.
import { effect, useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { stripAnsi } from "../../lib/ansi";
import { areaOfScope } from "../../lib/timeline/area-of-scope";
import { quoteName } from "../../lib/timeline/event-search";
import {
  sortStats,
  type Area,
  type AreaStats,
  type NameStats,
  type StatsColumn,
  type StatsLines,
} from "../../lib/timeline/stats";
import type { TableLook } from "../../lib/timeline/sight";
import type { Timeline } from "../../lib/timeline/timeline";
import { formatCount, formatPlural, formatShare } from "../../lib/text";
import { formatRange, spanOf } from "../../lib/time";
import { Name } from "../parts/name";
import { useTimeline } from "./context";
import { useApp } from "../parts/app-context";
import { useAsSignal } from "../parts/as-signal";
import { KeyCap } from "../parts/key-cap";
import { Figure, Share } from "../parts/figure";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { useScopedName } from "../parts/use-scoped-name";
import { timesOf, type Times } from "../../lib/timeline/cycle-axis";
import { Took, useTimes } from "./times";
import { useAnswer } from "./use-answer";

export function TimelineRangeTab({ shown }: { shown: Timeline }) {
  const timeline = useTimeline();
  const times = useTimes();
  const { lines, column, descending } = timeline.table.value;
  const { commands } = useApp();
  const toScope = () => commands.run("timeline.scope");
  const set = (look: Partial<TableLook>) => (timeline.table.value = { ...timeline.table.value, ...look });
  const { scope } = useApp();
  const rested = useRested(timeline.area, kRest_ms);
  const latest = useAsSignal(shown);
  const scoped = useComputed(() => areaOfScope(latest.value, scope.now.value));
  const area = rested.value ?? scoped.value;
  const stats = useAnswer(() => {
    const asked = rested.value ?? scoped.value;
    const by = timeline.table.value.lines;
    return (source) => source.sumArea(asked, by);
  }, [rested, scoped, shown]);
  const rows = sortStats(stats.value?.names ?? [], column, descending);
  const columns = useColumns(shown, lines, stats.value?.isExact ?? true);
  const isWhole = rested.value === null && isAll(shown, area);
  return (
    <>
      <p class="drawer-summary">
        {summarise(shown, area, stats.value, isWhole)}
        {isWhole && <span>drag over the lanes to choose a range</span>}
        {rested.value !== null && (
          <button class="link" title="All figures of this time only, here and in other rooms" onClick={toScope}>
            scope to it <KeyCap command="timeline.scope" />
          </button>
        )}
        <span role="radiogroup" aria-label="Lines" class="choices">
          {kLines.map(([value, text]) => (
            <button key={value} role="radio" aria-checked={value === lines} onClick={() => set({ lines: value })}>
              {text}
            </button>
          ))}
        </span>
        <TableExport columns={textColumns(columns)} rows={rows} name={useScopedName("events by name")} />
      </p>
      <Table
        columns={columns}
        rows={rows}
        keyOf={(row) => `${row.name} ${row.lane}`}
        label="Events by name"
        sort={{
          column,
          descending,
          by: (id) => {
            const next = id as StatsColumn;
            set({ column: next, descending: next === column ? !descending : next !== "name" });
          },
        }}
      />
      {stats.value?.others != null && (
        <p class="dim note">
          {formatPlural(stats.value.others.names, "more name")} with {formatPlural(stats.value.others.count, "event")},
          together {times.duration(stats.value.others.total_ns)}.
        </p>
      )}
      {stats.value?.count === 0 && <p class="dim note">No event touches this range of these lanes.</p>}
    </>
  );
}

const kLines = [
  ["names", "by name"],
  ["lanes", "by name and lane"],
] as const;

/** A range being dragged is summed when the pointer rests, so that dragging stays smooth over any number of events. */
export const kRest_ms = 60;

export function useRested<T>(source: ReadonlySignal<T>, rest_ms: number): ReadonlySignal<T> {
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

function useColumns(shown: Timeline, lines: StatsLines, isExact: boolean): Column<NameStats>[] {
  const timeline = useTimeline();
  const times = timesOf(shown);
  const time = (id: StatsColumn & `${string}_ns`, title: string, hint: string): Column<NameStats> => ({
    id,
    title,
    hint,
    show: (row) => <Took time={row[id]} />,
    value: (row) => row[id],
  });
  const share = (id: "share" | "wall_share", title: string, hint: string): Column<NameStats> => ({
    id,
    title,
    hint,
    show: (row) => <Share of={row[id]} />,
    value: (row) => Number(row[id].toPrecision(6)),
  });
  const laneOf = (row: NameStats) => shown.lanes[row.lane ?? -1]?.title ?? "";
  const nearly = isExact ? "" : ", within about a percent";
  return [
    {
      id: "name",
      title: "Name",
      align: "left",
      namesOf: (row) => [row.label],
      show: (row) => (
        <button
          class="link name"
          title="Highlight its events in the lanes"
          onClick={() => (timeline.find.value = quoteName(stripAnsi(row.label)))}
        >
          <Name name={row.label} />
        </button>
      ),
      value: (row) => stripAnsi(row.label),
    },
    ...(lines === "lanes"
      ? [{ id: "lane", title: "Lane", align: "left", show: laneOf, value: laneOf } satisfies Column<NameStats>]
      : []),
    {
      id: "count",
      title: "Count",
      hint: "Events that touch the range",
      show: (row) => <Figure text={formatCount(row.count)} exact={row.count} />,
      value: (row) => row.count,
    },
    time(
      "total_ns",
      "Total",
      "Their time inside the range; inner events count in addition to the outer ones that hold them",
    ),
    time("self_ns", "Self", "Of that, what no inner event covers"),
    share(
      "share",
      "% of busy",
      "The time in which at least one of them runs, of the busy time: in which anything runs in these lanes",
    ),
    share(
      "wall_share",
      "% of wall",
      "The time in which at least one of them runs, of the wall time: the range, once for each lane with events",
    ),
    time("mean_ns", "Mean", "Total by count"),
    time("median_ns", "Median", `The middle one${nearly}`),
    time("p90_ns", "P90", `Nine in ten are no longer${nearly}`),
    {
      id: "max_ns",
      title: "Longest",
      hint: "The longest event, whole, also where it reaches out of the range; a click shows it",
      show: (row) => (
        <button class="link" onClick={() => timeline.frame(row.worst)}>
          {times.duration(row.max_ns)} →
        </button>
      ),
      value: (row) => row.max_ns,
    },
  ];
}

export const isAll = (shown: Timeline, { range, lanes }: Area) =>
  formatRange(range) === formatRange({ from: 0, to: shown.dur_ns }) && lanes.length === shown.lanes.length;

function summarise(shown: Timeline, area: Area, stats: AreaStats | null, isWhole: boolean): string {
  const withEvents = area.lanes.filter((l) => shown.lanes[l]!.rowCount > 0);
  const lanes =
    withEvents.length <= 3 ? withEvents.map((l) => shown.lanes[l]!.title).join(", ") : `${withEvents.length} lanes`;
  const { moment, duration } = timesOf(shown);
  const when = isWhole ? "Whole profile" : `${moment(area.range.from)} … ${moment(area.range.to)}`;
  const events = stats === null ? "…" : formatPlural(stats.count, "event");
  const busy = stats === null || stats.wall_ns === 0 ? "" : describeBusy(stats, duration);
  const parts = [when, `wall ${duration(spanOf(area.range))}`, lanes, events, busy];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Over several lanes both times are sums over them. */
function describeBusy({ busy_ns, wall_ns, lanes }: AreaStats, duration: Times["duration"]): string {
  const all = lanes > 1 ? ` over ${formatPlural(lanes, "lane")}` : "";
  return `busy ${duration(busy_ns)}${all}, ${formatShare(busy_ns / wall_ns)} of wall`;
}
