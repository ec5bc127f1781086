// Each step as a bar, as high as the time to the next: its phase by colour, the steady window behind them.
import { linkToStretch } from "../../lib/devices";
import { rankedAt, type WireServerStep, type WireServerSteps } from "../../lib/replays";
import { formatDuration, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";

const kHeight = 130;
const kLeast_px = 3;
const kMost_px = 26;
const kWidth = 1200;
const kMost = 2000;
/** What three of four steps take no longer than; what is so many times as high is cut. */
const kUsual = 0.75;
const kCut = 4;

interface StepChartProps {
  rows: readonly WireServerStep[];
  steady: WireServerSteps["ranks"][number]["steady"];
}

export function StepChart({ rows, steady }: StepChartProps) {
  const { place } = useApp();
  const shown = rows.filter(({ period_ns }) => period_ns !== null).slice(0, kMost);
  if (shown.length === 0) return null;
  const most_ns = Math.max(...shown.map(({ period_ns }) => period_ns!));
  // Some steps of seconds must not make all others lines: what is higher is cut, and says so.
  const usual_ns = rankedAt(
    shown.map(({ period_ns }) => period_ns!),
    kUsual,
  );
  const top_ns = Math.min(most_ns, kCut * Math.max(usual_ns, 1));
  const bar_px = Math.min(Math.max(kWidth / shown.length, kLeast_px), kMost_px);
  const first = shown.findIndex(({ step }) => steady !== null && step >= steady.first_step);
  const last = shown.findLastIndex(({ step }) => steady !== null && step <= steady.last_step);
  return (
    <figure class="step-chart" data-scrolls tabIndex={0}>
      <figcaption class="dim">
        The time from each step to the next, of {sayShown(shown.length, rows.length)}; up to {formatDuration(top_ns)}
        {steady !== null && ". The steady window is framed."}
      </figcaption>
      <svg width={shown.length * bar_px} height={kHeight} role="img" aria-label="How long each step took">
        {steady !== null && first >= 0 && (
          <g class="steady-window">
            <rect x={first * bar_px} y={0} width={(last - first + 1) * bar_px} height={kHeight} />
          </g>
        )}
        {shown.map((row, at) => {
          const height = Math.max((Math.min(row.period_ns!, top_ns) / top_ns) * (kHeight - 8), 1);
          const said = `step ${row.step}, ${row.phase ?? "phase not told"}, ${row.requests ?? "?"} requests: ${formatDuration(row.period_ns!)}${row.period_ns! > top_ns ? ", higher than drawn" : ""}`;
          return (
            <rect
              key={row.step}
              class={`step phase-${row.phase ?? "none"} ${row.period_ns! > top_ns ? "cut" : ""}`}
              x={at * bar_px}
              y={kHeight - height}
              width={Math.max(bar_px - 1, 1)}
              height={height}
              onClick={() => place.follow(linkToStretch(row))}
            >
              <title>{said}</title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
}

/** Steps without work on the device have no such time; of very many the first are drawn. */
function sayShown(shown: number, all: number): string {
  if (shown === kMost) return `the first ${formatPlural(shown, "step")}`;
  return shown === all ? formatPlural(all, "step") : `the ${formatPlural(shown, "step")} with work on the device`;
}
