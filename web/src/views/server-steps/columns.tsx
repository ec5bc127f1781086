// The columns of the tables of a server's steps, and of steps alike together.
import { kServerStepFields } from "../../lib/device-fields";
import type { StepGroup, WireServerStep } from "../../lib/replays";
import { formatCount } from "../../lib/text";
import { Duration, Figure } from "../parts/figure";
import { fieldColumn, fieldColumns, kNothing, withoutEmpty } from "../parts/list-view/field-column";
import { ScopeButton } from "../parts/scope-button";
import type { Column } from "../parts/table";

export const stepColumns = (rows: readonly WireServerStep[]): readonly Column<WireServerStep>[] =>
  withoutEmpty(
    [
      fieldColumn<WireServerStep>("step", kServerStepFields.step, {
        show: (row) => (
          <>
            <ScopeButton of={`step ${row.step}`} change={{ range: { from: row.from_ns, to: row.to_ns } }} /> {row.step}
          </>
        ),
      }),
      fieldColumn<WireServerStep>("phase", kServerStepFields.phase, {
        show: (row) => <span class={`step-phase phase-${row.phase ?? "none"}`}>{row.phase ?? "not told"}</span>,
      }),
      ...fieldColumns<WireServerStep>(kServerStepFields, [
        "requests",
        "padded",
        "tokens",
        "context_kv",
        "generation_kv",
        "replays",
        "kernels",
        "host_ns",
        "device_span_ns",
        "busy_ns",
        "period_ns",
      ]),
      fieldColumn<WireServerStep>("tokens_per_s", kServerStepFields.tokens_per_s, {
        show: (row) =>
          row.tokens_per_s === null ? (
            kNothing
          ) : (
            <Figure text={formatCount(Math.round(row.tokens_per_s))} exact={row.tokens_per_s} />
          ),
      }),
      gapColumn("launch_ns", "Launch late"),
      gapColumn("host_ns", "Host late"),
      gapColumn("no_step_ns", "Nothing to do"),
    ],
    rows,
  );

const gapColumn = (part: keyof WireServerStep["gap"], title: string): Column<WireServerStep> => ({
  id: `gap.${part}`,
  title,
  hint: kGapHints[part],
  show: (row) => (row.gap[part] === 0 ? kNothing : <Duration ns={row.gap[part]} />),
  value: (row) => row.gap[part] || null,
});

/** Hints for the time before replays in which the device did nothing. */
export const kGapHints: Record<keyof WireServerStep["gap"], string> = {
  launch_ns: "The call had begun, and its first work had not",
  host_ns: "A step had begun, and not yet the call that launches",
  no_step_ns: "No step ran on the host",
  unknown_ns: "The trace has no call of the replay",
};

const duration = (id: keyof StepGroup & string, title: string, hint: string): Column<StepGroup> => ({
  id,
  title,
  hint,
  show: (row) => (row[id] === null ? kNothing : <Duration ns={Number(row[id])} />),
  value: (row) => row[id] as number | null,
});

const kContextClass: Column<StepGroup> = {
  id: "context_from",
  title: "Context of each",
  hint: "Tokens in the cache of a request in decode, on average",
  show: ({ context_from: from }) =>
    from === null ? kNothing : from === 0 ? "none" : `${formatCount(from)} to ${formatCount(2 * from - 1)}`,
  value: (row) => row.context_from,
};

export const groupColumns = (byContext: boolean): readonly Column<StepGroup>[] =>
  byContext ? [...kGroupColumns.slice(0, 2), kContextClass, ...kGroupColumns.slice(2)] : kGroupColumns;

const kGroupColumns: readonly Column<StepGroup>[] = [
  {
    id: "phase",
    title: "Phase",
    align: "left",
    show: (row) => <span class={`step-phase phase-${row.phase ?? "none"}`}>{row.phase ?? "not told"}</span>,
    value: (row) => row.phase,
  },
  {
    id: "requests",
    title: "Requests",
    hint: "That each serves",
    show: (row) => (row.requests === null ? kNothing : formatCount(row.requests)),
    value: (row) => row.requests,
  },
  { id: "steps", title: "Steps", show: (row) => formatCount(row.steps), value: (row) => row.steps },
  duration("median_ns", "Median", "From the first work of a step to that of the next"),
  duration("p99_ns", "p99", "In 99 of 100 steps it takes no longer"),
  {
    id: "spread",
    title: "Spread",
    hint: "The 99th percentile by the median",
    show: (row) => (row.spread === null ? kNothing : `${row.spread.toFixed(2)} ×`),
    value: (row) => row.spread,
  },
  duration("host_median_ns", "Host", "The median of the host's time in the step"),
  duration("device_median_ns", "Device", "The median from its first work to the end of its last"),
  {
    id: "context",
    title: "Context",
    hint: "Tokens in the cache of requests in decode, of a step on average",
    show: (row) => (row.context === null ? kNothing : formatCount(Math.round(row.context))),
    value: (row) => row.context,
  },
  {
    id: "tokens_per_s",
    title: "Tokens/s",
    show: (row) =>
      row.tokens_per_s === null ? (
        kNothing
      ) : (
        <Figure text={formatCount(Math.round(row.tokens_per_s))} exact={row.tokens_per_s} />
      ),
    value: (row) => row.tokens_per_s,
  },
];
