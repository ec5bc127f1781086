// The steps, side by side: how long each took and with what; of several ranks also a map, rank by step, of what
// differs, in which stragglers stand out.
import { useSignal } from "@preact/signals";
import {
  dividedTime,
  linkToStretch,
  nameDevice,
  outlierSteps,
  type FileValue,
  type WireDevices,
  type WireStep,
} from "../../lib/devices";
import { linkWithScope } from "../../lib/scope";
import { formatDuration, formatPlural, formatShare } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { ScopeButton } from "../parts/scope-button";
import { kMeasures, mapOf, type Measure, type MapRow } from "./rank-map";

const kMost = 200;
const kMostRanks = 8;

export function StepBars({ devices: { steps } }: { devices: WireDevices }) {
  const shown = steps.slice(0, kMost);
  const outliers = outlierSteps(shown);
  const longest_ns = Math.max(...shown.map(({ from_ns, to_ns }) => to_ns - from_ns), 1);
  const ranks = new Set(steps.flatMap((step) => step.devices.map(({ rank }) => rank)));
  return (
    <section>
      <h3>
        Steps{" "}
        <span class="of">
          {formatPlural(new Set(steps.map(({ number }) => number)).size, "step")}
          {ranks.size > 1 && ` of ${ranks.size} ranks`}
          {steps.length > kMost && `, the first ${kMost} shown`}
          {outliers.size > 0 && ` · ${outliers.size} longer than 1.3 times the median`}
        </span>
      </h3>
      {ranks.size > 1 && <RankMap steps={shown} />}
      {byRank(shown).map(([rank, of]) => (
        <Bars
          key={String(rank)}
          steps={of}
          outliers={outliers}
          longest_ns={longest_ns}
          rank={ranks.size > 1 ? rank : null}
        />
      ))}
    </section>
  );
}

/** A row of bars a rank, all to one scale; of many ranks the first, as the map shows all. */
function byRank(steps: readonly WireStep[]): [FileValue, WireStep[]][] {
  const rows = new Map<FileValue, WireStep[]>();
  for (const step of steps) {
    const rank = step.devices[0]?.rank ?? null;
    rows.set(rank, [...(rows.get(rank) ?? []), step]);
  }
  return [...rows].slice(0, kMostRanks);
}

interface BarsProps {
  steps: readonly WireStep[];
  outliers: ReadonlySet<WireStep>;
  /** The longest over all ranks. */
  longest_ns: number;
  /** Null where there is but one. */
  rank: FileValue;
}

function Bars({ steps, outliers, longest_ns, rank }: BarsProps) {
  const { place, scope } = useApp();
  return (
    <div class={rank === null ? "step-bars" : "step-bars of-rank"}>
      {rank !== null && <span class="dim step-rank">rank {rank}</span>}
      {steps.map((step) => {
        const span_ns = Math.max(step.to_ns - step.from_ns, 1);
        return (
          <button
            key={`${step.number} ${step.from_ns}`}
            class={outliers.has(step) ? "step-bar outlier" : "step-bar"}
            aria-pressed={scope.now.value.step === step.number}
            title={sayStep(step)}
            aria-label={sayStep(step)}
            onClick={() => place.follow(linkToStep(step, rank !== null))}
          >
            <span class="step-span" style={{ height: `${(100 * span_ns) / longest_ns}%` }}>
              {partsOf(step).map(({ id, ns }) => (
                <span key={id} class={`part-${id}`} style={{ height: `${(100 * ns) / span_ns}%` }} />
              ))}
            </span>
            <span class="step-number">{step.number}</span>
          </button>
        );
      })}
    </div>
  );
}

/** How the devices spent a step, on average over them: all of it. Where none worked, it was the host's. */
function partsOf({ devices, from_ns, to_ns }: WireStep) {
  if (devices.length === 0) return [{ id: "code", ns: to_ns - from_ns }];
  const parts = devices.map(dividedTime);
  return (parts[0] ?? [])
    .map(({ id }, at) => ({ id, ns: parts.reduce((sum, of) => sum + of[at]!.ns, 0) / Math.max(parts.length, 1) }))
    .filter(({ ns }) => ns > 0);
}

function RankMap({ steps }: { steps: readonly WireStep[] }) {
  const measure = useSignal<Measure>("compute");
  const { numbers, rows } = mapOf(steps, measure.value);
  return (
    <div class="rank-map-box">
      <label class="dim">
        Rank by step:{" "}
        <select
          class="choice"
          value={measure.value}
          onChange={(event) => (measure.value = event.currentTarget.value as Measure)}
        >
          {Object.entries(kMeasures).map(([id, { title }]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>{" "}
        <span class="heat-legend">
          less <i class="heat" style={{ "--heat": -1 }} />
          <i class="heat" style={{ "--heat": -0.5 }} />
          <i class="heat" style={{ "--heat": 0 }} />
          <i class="heat" style={{ "--heat": 0.5 }} />
          <i class="heat" style={{ "--heat": 1 }} /> more than the step's median rank
        </span>
      </label>
      <div class="rank-map" style={{ gridTemplateColumns: `max-content repeat(${numbers.length}, minmax(6px, 56px))` }}>
        {rows.map((row) => (
          <MapLine key={row.name} row={row} measure={measure.value} />
        ))}
        <span />
        {numbers.map((number) => (
          <span key={number} class="dim map-number">
            {number}
          </span>
        ))}
      </div>
    </div>
  );
}

function MapLine({ row, measure }: { row: MapRow; measure: Measure }) {
  const { place } = useApp();
  return (
    <>
      <span class="dim">
        {row.name} {row.scope !== null && <ScopeButton of={row.name} change={row.scope} />}
      </span>
      {row.cells.map((cell, at) => {
        if (cell === null) return <span key={at} />;
        const { step, ns, over } = cell;
        const said = `${row.name}, ${step.name}: ${kMeasures[measure].title} ${formatDuration(ns)}, ${over < 0 ? "−" : "+"}${formatShare(Math.abs(over))} of the median rank`;
        return (
          <button
            key={at}
            class="heat"
            style={{ "--heat": cell.heat }}
            title={said}
            aria-label={said}
            onClick={() => place.follow(linkToStep(step, true))}
          />
        );
      })}
    </>
  );
}

/** To the step on the timeline, which is the scope then; isOfRank: so is the rank. */
function linkToStep(step: WireStep, isOfRank: boolean) {
  const [first] = step.devices;
  const rank = !isOfRank || first === undefined || first.rank === null ? {} : { rank: String(first.rank) };
  return linkWithScope(linkToStretch(step), { step: step.number, range: null, ...rank });
}

/** The step's name, with its number where the name lacks it ("Execute 3"): the bar shows the number. */
function sayStep(step: WireStep): string {
  const number = String(step.number);
  const name = step.name.includes(number) ? step.name : `${step.name} ${number}`;
  const busy = step.devices.map((row) => `${nameDevice(row)} busy ${formatDuration(row.busy_ns)}`);
  return [`${name}: ${formatDuration(step.to_ns - step.from_ns)}`, ...busy].join(" · ");
}
