// The chosen run: rates with their formulas, how full its engines were and how they ran out, and a map of where on the
// chip a counter counted.
import { linkToTrace } from "../../lib/links";
import { formatCount, formatShare } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { WhenFetched } from "../parts/list-view/list-view";
import { Section } from "../parts/section";
import { kImbalanceFormula, kOccupancyFormula } from "./columns";
import type { CounterState } from "./state";
import { mapOf, type WireCounter, type WireRun } from "./wire";

export function RunSide({ counters }: { counters: CounterState }) {
  return (
    <WhenFetched fetched={counters.run.value} waiting="Reading the run" broken="The run cannot be shown">
      {(run) => (
        <>
          <Rates run={run} />
          {run.engines.engine.length > 0 && counters.runs.chosen.value !== null && (
            <CycleTimeline at={counters.runs.chosen.value.at} />
          )}
          <Engines run={run} />
          <Places run={run} counters={counters} />
        </>
      )}
    </WhenFetched>
  );
}

/** To the run's waves, instruction by instruction. */
function CycleTimeline({ at }: { at: number }) {
  const { place } = useApp();
  return (
    <p class="note">
      <button class="link" onClick={() => place.follow(linkToTrace(String(at)))}>
        Its waves and instructions, cycle by cycle →
      </button>
    </p>
  );
}

function Rates({ run }: { run: WireRun }) {
  const told = [
    ...run.rates,
    ...(run.occupancy === null ? [] : [{ name: "Occupancy", percent: run.occupancy, formula: kOccupancyFormula }]),
  ];
  if (told.length === 0) return null;
  return (
    <Section title="Rates" note={`run ${run.run}`}>
      <dl class="rate-list">
        {told.map(({ name, percent, formula }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatShare(percent / 100)}</dd>
            <p class="dim">{formula}</p>
          </div>
        ))}
        {run.imbalance !== null && (
          <div>
            <dt>Imbalance</dt>
            <dd>{run.imbalance.toFixed(2)} ×</dd>
            <p class="dim">{kImbalanceFormula}</p>
          </div>
        )}
      </dl>
    </Section>
  );
}

function Engines({ run }: { run: WireRun }) {
  const { engine, waves, most_at_once, span, wave_cycles, tail, units } = run.engines;
  if (engine.length === 0) return null;
  return (
    <Section
      title="Shader engines"
      note={run.engine_waves > 0 ? `each holds ${formatCount(run.engine_waves)} waves` : ""}
    >
      <table class="details engine-table" aria-label="Shader engines">
        <thead>
          <tr>
            <th>SE</th>
            <th>waves</th>
            <th title="Waves that ran at once, at most">at once</th>
            <th title="Waves that ran at once, in the mean">mean</th>
            <th title="Compute units (of RDNA WGPs) that had waves">units</th>
            <th title="From its first wave's beginning to its last one's end">cycles</th>
            <th title="At the end, with fewer than half as many waves as at most">tail</th>
          </tr>
        </thead>
        <tbody>
          {engine.map((number, at) => (
            <tr key={at}>
              <td>{number}</td>
              <td>{formatCount(waves[at]!)}</td>
              <td>{formatCount(most_at_once[at]!)}</td>
              <td>{span[at]! > 0 ? (wave_cycles[at]! / span[at]!).toFixed(1) : ""}</td>
              <td>{formatCount(units[at]!)}</td>
              <td>{formatCount(span[at]!)}</td>
              <td title={`${formatCount(tail[at]!)} cycles`}>
                {span[at]! > 0 ? formatShare(tail[at]! / span[at]!) : ""}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Places({ run, counters }: { run: WireRun; counters: CounterState }) {
  const isSpread = ({ values }: WireCounter) => values.flat().length > 1;
  const wanted = counters.counter.value;
  const counter =
    run.counters.find(({ name }) => name === wanted) ?? run.counters.find(isSpread) ?? run.counters[0] ?? null;
  if (counter === null) return null;
  return (
    <Section title="Where it was counted">
      <div class="counter-choice">
        <select
          class="choice"
          aria-label="Counter"
          value={counter.name}
          onChange={(event) => counters.chooseCounter(event.currentTarget.value)}
        >
          {run.counters.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <span class="dim">{formatCount(counter.sum)} in all</span>
      </div>
      <HeatMap counter={counter} />
    </Section>
  );
}

/** For counters that count by WGP: a column each. */
function HeatMap({ counter }: { counter: WireCounter }) {
  const map = mapOf(counter);
  return (
    <table class="counter-map" aria-label={`${counter.name} by place`}>
      {map.groups > 1 && (
        <thead>
          <tr>
            <th />
            {Array.from({ length: map.groups }, (_, group) => (
              <th key={group}>WGP {group}</th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {map.rows.map(({ title, values }) => (
          <tr key={title}>
            <th>{title}</th>
            {values.map((value, group) => (
              <td
                key={group}
                class={value === 0 ? "faint" : ""}
                style={{ "--heat": map.most > 0 ? value / map.most : 0 }}
              >
                {formatCount(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
