// Where the lanes of the chosen range stood, as sampled: the stacks with the most samples, each with its frames.
import { useComputed, useSignal, type Signal } from "@preact/signals";
import { areaOfScope } from "../../lib/timeline/area-of-scope";
import { formatFrame, type StackShare, type StackTable } from "../../lib/timeline/stacks";
import type { Timeline } from "../../lib/timeline/timeline";
import { formatCount, formatPlural } from "../../lib/text";
import { formatMoment } from "../../lib/time";
import { useTimeline } from "./context";
import { useApp } from "../parts/app-context";
import { useAsSignal } from "../parts/as-signal";
import { CopyButton } from "../parts/copy-button";
import { Figure, Share } from "../parts/figure";
import { Table, type Column } from "../parts/table";
import { isAll, kRest_ms, useRested } from "./range-tab";
import { useAnswer } from "./use-answer";

export function TimelineStacksTab({ shown }: { shown: Timeline }) {
  const timeline = useTimeline();
  const { scope } = useApp();
  const rested = useRested(timeline.area, kRest_ms);
  const unfolded = useSignal<StackShare | null>(null);
  const latest = useAsSignal(shown);
  const area = useComputed(() => rested.value ?? areaOfScope(latest.value, scope.now.value));
  const table = useAnswer(() => {
    const asked = area.value;
    return (source) => source.listStacks(asked);
  }, [area]).value;
  if (table === null) return <p class="dim note">…</p>;
  const { range } = area.value;
  const isWhole = isAll(shown, area.value);
  const times = isWhole ? "Whole profile" : `${formatMoment(range.from)} … ${formatMoment(range.to)}`;
  return (
    <>
      <p class="drawer-summary">
        {times} · {formatPlural(table.samples, "sample")} of {formatPlural(table.stackCount, "stack")}
        {isWhole && <span>drag over the lanes to choose a range</span>}
        <CopyButton
          text={() => foldedStacks(table.stacks)}
          label="the stacks, one a line, as flame graph tools read them"
        />
      </p>
      <Table columns={columnsOf(table, unfolded)} rows={table.stacks} keyOf={(_, at) => at} label="Stacks sampled" />
      {table.stacks.length < table.stackCount && (
        <p class="dim note">The {formatCount(table.stacks.length)} with the most weight are listed.</p>
      )}
      {table.samples === 0 && <p class="dim note">No sample lies in this range of these lanes.</p>}
    </>
  );
}

function columnsOf(table: StackTable, unfolded: Signal<StackShare | null>): Column<StackShare>[] {
  return [
    {
      id: "stack",
      title: "Stack",
      align: "left",
      show: (row) => (
        <button
          class="link name"
          aria-expanded={unfolded.value === row}
          title="Show the frames that called it"
          onClick={() => (unfolded.value = unfolded.value === row ? null : row)}
        >
          {row.frames[0] === undefined ? "?" : formatFrame(row.frames[0])}
        </button>
      ),
    },
    {
      id: "callers",
      title: "Called by",
      align: "left",
      show: (row) => <Callers stack={row} isUnfolded={unfolded.value === row} />,
    },
    {
      id: "samples",
      title: "Samples",
      show: (row) => <Figure text={formatCount(row.samples)} exact={row.samples} />,
    },
    {
      id: "weight",
      title: "Weight",
      hint: "What its samples stand for",
      show: (row) => formatCount(row.weight),
    },
    {
      id: "share",
      title: "% of samples",
      hint: "Of the weight of all samples",
      show: (row) => <Share of={row.weight / table.weight} />,
    },
  ];
}

function Callers({ stack, isUnfolded }: { stack: StackShare; isUnfolded: boolean }) {
  const callers = stack.frames.slice(1);
  if (!isUnfolded) return <span class="dim">{callers.map((frame) => frame.function).join(" ‹ ")}</span>;
  return (
    <ol class="frames">
      {callers.map((frame, i) => (
        <li key={i}>{formatFrame(frame)}</li>
      ))}
    </ol>
  );
}

/** "outermost;…;innermost WEIGHT", a line a stack. */
function foldedStacks(stacks: readonly StackShare[]): string {
  return stacks
    .map(({ frames, weight }) => {
      const names = frames.map((frame) => frame.function.replaceAll(";", ":")).reverse();
      return `${names.join(";")} ${weight}`;
    })
    .join("\n");
}
