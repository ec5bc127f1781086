// The launches of a row on two time axes, one over the other: each launch a bar, where it began and as high as it took
// long; and how many took how long, on one scale.
import { formatDuration, formatPlural } from "../../lib/text";
import { linkToEvent, type LinkedEvent } from "../../lib/links";
import { makeTicks } from "../../lib/time";
import { useApp } from "../parts/app-context";
import type { WireKernelPair, WireKernelSide } from "./wire";

const kWidth = 560;
const kHeight = 56;
const kLeast_px = 1.5;

interface LaunchesProps {
  pair: WireKernelPair;
  /** Names of the captures, as links have them. */
  captures: { a: string; b: string };
}

export function Launches({ pair, captures }: LaunchesProps) {
  const span_ns = Math.max(spanOf(pair.a), spanOf(pair.b), 1);
  const longest_ns = Math.max(pair.a.max_ns ?? 0, pair.b.max_ns ?? 0, 1);
  return (
    <>
      {(["a", "b"] as const).map((side) => (
        <Lane
          key={side}
          title={side.toUpperCase()}
          side={pair[side]}
          capture={captures[side]}
          span_ns={span_ns}
          longest_ns={longest_ns}
        />
      ))}
    </>
  );
}

function spanOf({ drawn }: WireKernelSide): number {
  return drawn.length === 0 ? 0 : Math.max(...drawn.map(endOf)) - drawn[0]!.start_ns;
}
const endOf = ({ start_ns, dur_ns }: LinkedEvent) => start_ns + dur_ns;

interface LaneProps {
  title: string;
  side: WireKernelSide;
  capture: string;
  /** The same for both, so that lengths and heights can be held against each other. */
  span_ns: number;
  longest_ns: number;
}

function Lane({ title, side, capture, span_ns, longest_ns }: LaneProps) {
  const { place } = useApp();
  const from_ns = side.drawn[0]?.start_ns ?? 0;
  const at = (ns: number) => ((ns - from_ns) / span_ns) * kWidth;
  if (side.launches === 0) return <p class="dim launches-none">{title}: never launched</p>;
  const ticks = makeTicks({ from: 0, to: span_ns }, kWidth, 120);
  const isPart = side.drawn.length < side.launches;
  return (
    <figure class="launches">
      <figcaption>
        <strong>{title}</strong> {formatPlural(side.launches, "launch", "launches")}
        {isPart && <span class="dim"> · the longest {side.drawn.length} drawn</span>}
      </figcaption>
      <svg
        viewBox={`0 0 ${kWidth} ${kHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${formatPlural(side.launches, "launch", "launches")} over time`}
      >
        {ticks.map(({ at: at_ns }) => (
          <line key={at_ns} class="grid" x1={at(from_ns + at_ns)} x2={at(from_ns + at_ns)} y1={0} y2={kHeight} />
        ))}
        {side.drawn.map((launch) => {
          const height = Math.max((launch.dur_ns / longest_ns) * kHeight, kLeast_px);
          return (
            <rect
              key={`${launch.lane} ${launch.index}`}
              class={`launch of-${title.toLowerCase()}`}
              x={at(launch.start_ns)}
              y={kHeight - height}
              width={Math.max((launch.dur_ns / span_ns) * kWidth, kLeast_px)}
              height={height}
              onClick={() => place.follow({ ...linkToEvent(launch), capture })}
            >
              <title>{`${formatDuration(launch.dur_ns)}, ${formatDuration(launch.start_ns - from_ns)} after the first · to the timeline`}</title>
            </rect>
          );
        })}
      </svg>
      <div class="launch-ticks" aria-hidden="true">
        {ticks.map(({ at: at_ns, label }) => (
          <span key={at_ns} style={{ left: `${(100 * at_ns) / span_ns}%` }}>
            {label}
          </span>
        ))}
      </div>
    </figure>
  );
}

const kBinHeight = 38;

/** A's launches above the line, B's below it, by how long they took. */
export function Distribution({ pair: { bins, a, b } }: { pair: WireKernelPair }) {
  const edges = bins.edges_ns;
  if (edges.length < 2) return null;
  const most = Math.max(1, ...bins.a, ...bins.b);
  const width = kWidth / bins.a.length;
  const bar = (count: number) => (count === 0 ? 0 : Math.max((count / most) * kBinHeight, kLeast_px));
  return (
    <figure class="launches">
      <figcaption>
        How long they took{" "}
        <span class="dim">
          A above, B below · from {formatDuration(edges[0]!)} to {formatDuration(edges.at(-1)!)}, logarithmic
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${kWidth} ${2 * kBinHeight + 2}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Distribution of durations: median ${sayMedian(a)} in A, ${sayMedian(b)} in B`}
      >
        <line class="grid" x1={0} x2={kWidth} y1={kBinHeight + 1} y2={kBinHeight + 1} />
        {bins.a.map((count, at) => {
          const range = `${formatDuration(edges[at]!)} to ${formatDuration(edges[at + 1]!)}`;
          const said = `${range}: ${count} in A, ${bins.b[at]!} in B`;
          return (
            <g key={at}>
              <title>{said}</title>
              <rect class="hit" x={at * width} y={0} width={width} height={2 * kBinHeight + 2} />
              <rect
                class="launch of-a"
                x={at * width}
                width={width - 1}
                y={kBinHeight - bar(count)}
                height={bar(count)}
              />
              <rect class="launch of-b" x={at * width} width={width - 1} y={kBinHeight + 2} height={bar(bins.b[at]!)} />
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

const sayMedian = ({ median_ns }: WireKernelSide) => (median_ns === undefined ? "none" : formatDuration(median_ns));
