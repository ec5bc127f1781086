// The steps, side by side: how long each took and with what; of several ranks a map, rank by step, in which stragglers
// stand out.
import { linkToStretch, nameDevice, outlierSteps, type WireDevices, type WireStep } from "../../lib/devices";
import { formatDuration, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";

const kMost = 200;

export function StepBars({ devices: { steps } }: { devices: WireDevices }) {
  const { place } = useApp();
  const shown = steps.slice(0, kMost);
  const outliers = outlierSteps(shown);
  const ranks = new Set(steps.flatMap((step) => step.devices.map(({ rank }) => rank)));
  const longest_ns = Math.max(...shown.map(({ from_ns, to_ns }) => to_ns - from_ns), 1);
  return (
    <section>
      <h3>Steps</h3>
      <p class="dim">
        {formatPlural(steps.length, "step")}
        {steps.length > kMost && `, the first ${kMost} shown`}
        {outliers.size > 0 && ` · ${outliers.size} much longer than usual`}
      </p>
      {ranks.size > 1 ? (
        <RankMap steps={shown} longest_ns={longest_ns} />
      ) : (
        <div class="step-bars">
          {shown.map((step) => (
            <button
              key={`${step.number} ${step.from_ns}`}
              class={outliers.has(step) ? "step-bar outlier" : "step-bar"}
              title={sayStep(step)}
              aria-label={sayStep(step)}
              onClick={() => place.follow(linkToStretch(step))}
            >
              <span class="step-span" style={{ height: `${(100 * (step.to_ns - step.from_ns)) / longest_ns}%` }}>
                <span class="part-compute" style={{ height: `${100 * busyShare(step)}%` }} />
              </span>
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

function RankMap({ steps, longest_ns }: { steps: readonly WireStep[]; longest_ns: number }) {
  const { place } = useApp();
  const rows = new Map<string, WireStep[]>();
  for (const step of steps) {
    const name = step.devices[0] === undefined ? "no device" : nameDevice(step.devices[0]);
    rows.set(name, [...(rows.get(name) ?? []), step]);
  }
  return (
    <div class="rank-map">
      {[...rows].map(([name, of]) => (
        <div key={name}>
          <span class="dim">{name}</span>
          {of.map((step) => (
            <button
              key={step.from_ns}
              style={{ opacity: 0.15 + (0.85 * (step.to_ns - step.from_ns)) / longest_ns }}
              title={sayStep(step)}
              aria-label={sayStep(step)}
              onClick={() => place.follow(linkToStretch(step))}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

const busyShare = (step: WireStep) =>
  Math.min(1, Math.max(0, ...step.devices.map(({ busy_ns }) => busy_ns)) / Math.max(step.to_ns - step.from_ns, 1));

function sayStep(step: WireStep): string {
  const busy = step.devices.map((row) => `${nameDevice(row)} busy ${formatDuration(row.busy_ns)}`);
  return [`${step.name}: ${formatDuration(step.to_ns - step.from_ns)}`, ...busy].join(" · ");
}
