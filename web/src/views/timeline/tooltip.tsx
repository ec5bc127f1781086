// The tooltip beside the pointer: an event's name, length and arguments; for things that are drawn together, what they
// holds. A click pins it into the details, where it can be copied.
import { useLayoutEffect, useRef } from "preact/hooks";
import { stripAnsi } from "../../lib/ansi";
import { formatArgument, ratesOf } from "../../lib/timeline/arguments";
import { formatValue, formatValues } from "../../lib/timeline/counter";
import { titleOfRun, type Run } from "../../lib/timeline/runs";
import type { Span, SpanPlace } from "../../lib/timeline/spans";
import { formatBytes } from "../../lib/bytes";
import type { DrawnGap } from "../../lib/timeline/idle";
import { kIdleTitles } from "../../lib/timeline/idle-cause";
import { nameOfBuffer, type Timeline } from "../../lib/timeline/timeline";
import type { EventItem } from "../../lib/timeline/events";
import { formatCount, formatDuration, formatPlural, formatShare } from "../../lib/text";
import type { TimelineSource } from "../../lib/timeline/source";
import { AnsiText } from "../parts/ansi-text";
import type { Hovered } from "./hover";
import type { Times } from "../../lib/timeline/cycle-axis";
import { useTimes } from "./times";
import { useAnswer } from "./use-answer";

interface TooltipProps {
  source: TimelineSource;
  hovered: Hovered;
  /** The pointer, in the stage. */
  x: number;
  y: number;
}

const kAway_px = 14;
/** Arguments shown here; all of them stand in the details. */
const kMostArguments = 6;

export function TimelineTooltip({ source, hovered, x, y }: TooltipProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const stage = element.offsetParent as HTMLElement | null;
    if (stage === null) return;
    const { offsetWidth: w, offsetHeight: h } = element;
    const right = x + kAway_px + w <= stage.clientWidth;
    const below = y + kAway_px + h <= stage.clientHeight;
    element.style.left = `${Math.max(right ? x + kAway_px : x - kAway_px - w, 4)}px`;
    element.style.top = `${Math.max(below ? y + kAway_px : y - kAway_px - h, 4)}px`;
  });
  if (hovered.kind === "gap" && hovered.gap === null) return null;
  return (
    <div ref={box} class="timeline-tooltip" role="tooltip">
      <Content source={source} hovered={hovered} />
    </div>
  );
}

function OneRun({ run }: { run: Run }) {
  const times = useTimes();
  return (
    <>
      <b>{titleOfRun(run)}</b>
      <div>
        {run.kind} {run.number} · {times.duration(run.to - run.from)}
      </div>
      <div class="dim">Click: all figures of it only</div>
    </>
  );
}

/** Where the axis counts from. */
function Zero() {
  if (useTimes().unit === "cycles") {
    return (
      <>
        <b>Cycles of the shader's clock</b>
        <div class="dim">and nanoseconds, by the real-time clock that the shader reads now and then</div>
      </>
    );
  }
  return (
    <>
      <b>Time since the profile's start</b>
      <div class="dim">
        in SQL: <code>ts - TRACE_START()</code>
      </div>
    </>
  );
}

function Content({ source, hovered }: { source: TimelineSource; hovered: Hovered }) {
  if (hovered.kind === "axis") return <Zero />;
  if (hovered.kind === "run") return <OneRun run={hovered.run} />;
  if (hovered.kind === "strip") return <Strip busy={hovered.busy} lanes={hovered.lanes} />;
  if (hovered.kind === "gap") return <Gap gap={hovered.gap} />;
  const lane = source.timeline.lanes[hovered.lane]!;
  if (hovered.kind === "span") {
    return hovered.span.count > 1 ? (
      <Aggregate shown={source.timeline} lane={hovered.lane} row={hovered.row} span={hovered.span} />
    ) : (
      <OneEvent
        lane={hovered.lane}
        event={hovered.span.event}
        label={source.timeline.strings[hovered.span.name] ?? ""}
      />
    );
  }
  if (hovered.kind === "allocation") {
    return <OneAllocation lane={hovered.lane} allocation={hovered.allocation} shown={source.timeline} />;
  }
  if (hovered.kind === "counter") {
    const { name, unit, min, max } = lane.counters[hovered.counter]!;
    return (
      <>
        <b>{formatValues(hovered.value, unit)}</b>
        <div>{name}</div>
        <div class="dim">
          low {formatValue(min, unit)} · high {formatValue(max, unit)}
        </div>
      </>
    );
  }
  const peak_bytes = lane.memory?.peak_bytes ?? 0;
  const { live_bytes } = hovered;
  return (
    <>
      <b>{formatBytes(live_bytes)} live</b>
      <div class="dim">
        {formatShare(live_bytes / Math.max(peak_bytes, 1))} of the listed peak, {formatBytes(peak_bytes)}
      </div>
    </>
  );
}

function Strip({ busy, lanes }: { busy: number; lanes: number }) {
  return (
    <>
      <b>≈ {formatShare(busy)} busy</b>
      {lanes > 1 && <div>on average over {formatPlural(lanes, "lane")}</div>}
      <div class="dim">
        <kbd>click</kbd> unfolds
      </div>
    </>
  );
}

/** Null while its cause is not known. */
function Gap({ gap }: { gap: DrawnGap | null }) {
  const times = useTimes();
  if (gap === null) return null;
  return (
    <>
      <b>
        {times.duration(gap.to - gap.from)} {kIdleTitles[gap.cause]}
      </b>
      <div class="dim">
        <kbd>click</kbd> tells what the device waited for; the figures are of that time then
      </div>
    </>
  );
}

interface AggregateProps {
  shown: Timeline;
  lane: number;
  row: number;
  span: Span;
}

const kPause_ms = 60;

/** A figure that came rounded in a tile stands there at once, and exactly as soon as the pointer rests. */
function Aggregate({ shown, lane, row, span }: AggregateProps) {
  const times = useTimes();
  const { place } = span;
  const answer = useAnswer(
    () => (place === null ? null : (source) => source.sumSpan(lane, row, place)),
    [lane, row, place?.level, place?.tile, place?.span],
    kPause_ms,
  );
  const exact = isSamePlace(answer.value?.place, place) ? answer.value : null;
  const isRounded = place !== null && exact === null;
  const count = exact?.count ?? span.count;
  const share = exact?.share ?? span.share;
  const name = shown.plain[span.name];
  return (
    <>
      <b>
        {isRounded && "about "}
        {formatCount(count)} events in this pixel
      </b>
      <div class="dim">
        {formatShare(span.busy)} of its time busy ·{" "}
        {share >= 0.5 ? `${formatShare(share)} of that ${name ?? "…"}` : "mixed names"}
      </div>
      <div class="accent">
        longest{exact !== null && ` ${times.duration(exact.longest.dur)} ${stripAnsi(exact.longest.label)}`}:{" "}
        <kbd>click</kbd> selects it
      </div>
      <div class="dim">double click zooms until exact</div>
    </>
  );
}

function isSamePlace(a: SpanPlace | undefined, b: SpanPlace | null): boolean {
  return a?.level === b?.level && a?.tile === b?.tile && a?.span === b?.span;
}

function OneEvent({ lane, event, label }: { lane: number; event: number; label: string }) {
  const times = useTimes();
  const answer = useAnswer(() => (source) => source.detail({ lane, event }), [lane, event]);
  const known = answer.value?.item;
  const detail = known?.lane === lane && known.event === event ? answer.value : null;
  return (
    <>
      <b>
        <AnsiText text={label} />
      </b>
      <div>{detail === null ? "…" : describeLength(detail.item, times)}</div>
      {detail?.item.isError && <div class="error">it failed</div>}
      {ratesOf(detail).map(([name, text]) => (
        <div class="dim" key={name}>
          {text} {name}
        </div>
      ))}
      {(detail?.arguments ?? []).slice(0, kMostArguments).map((argument) => (
        <div class="dim" key={argument.name}>
          {argument.name} <AnsiText text={formatArgument(argument)} />
        </div>
      ))}
      {detail !== null && detail.context >= 0 && <div class="dim">double click: its rewrites</div>}
    </>
  );
}

function describeLength({ kind, dur, dur_ps }: EventItem, times: Times): string {
  if (kind === "instant") return "instant";
  return kind === "span" ? times.duration(dur, dur_ps) : `${times.duration(dur, dur_ps)}, ${kind}`;
}

function OneAllocation({ lane, allocation, shown }: { lane: number; allocation: number; shown: Timeline }) {
  const answer = useAnswer(() => (source) => source.allocation(lane, allocation), [lane, allocation]);
  const item = answer.value?.item;
  if (item?.allocation !== allocation) return <b>…</b>;
  const life = Math.min(item.death, shown.dur_ns) - item.birth;
  const memory = shown.lanes[lane]?.memory;
  const peak_bytes = Math.max(memory?.peak_bytes ?? 0, 1);
  return (
    <>
      <b>{formatBytes(item.size_bytes)}</b>
      {item.dtype !== "" && (
        <div>
          {item.dtype} × {formatCount(item.count)}
        </div>
      )}
      {memory && <div class="dim">{nameOfBuffer(memory, item.key)}</div>}
      <div class="dim">
        {item.death === Infinity ? "alive to the end," : "alive for"} {formatDuration(life)}
      </div>
      <div class="dim">{formatShare(item.size_bytes / peak_bytes)} of the peak</div>
    </>
  );
}
