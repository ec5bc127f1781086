// The selected event: its times and figures, what it leads to, and how it stands among the others of its name.
import { useComputed } from "@preact/signals";
import { stripAnsi } from "../lib/ansi";
import type { EventRef, Profile } from "../lib/lanes";
import { isSameEvent } from "../lib/lanes-find";
import { binOf, makeHistogram, sumName, type NameStats } from "../lib/lanes-stats";
import { formatCount, formatDuration } from "../lib/text";
import { formatMoment } from "../lib/time";
import { AnsiText } from "./ansi-text";
import { useApp } from "./app-context";
import { CopyButton } from "./copy-button";
import { KeyCap } from "./key-cap";
import { Duration, Moment, Share } from "./figure";
import { Facts } from "./timeline-drawer";
import { stepInName } from "./timeline-keys";

export function TimelineEventTab({ profile }: { profile: Profile }) {
  const { timeline } = useApp();
  const event = timeline.selectedEvent.value;
  if (event === null) {
    return (
      <p class="dim note">
        Click an event, or step through a row with <KeyCap command="timeline.previous" />{" "}
        <KeyCap command="timeline.next" />.
      </p>
    );
  }
  return (
    <div class="event-tab">
      <EventFacts profile={profile} selected={event} />
      <NameSection profile={profile} selected={event} />
    </div>
  );
}

function EventFacts({ profile, selected }: { profile: Profile; selected: EventRef }) {
  const { timeline } = useApp();
  const lane = profile.lanes[selected.lane]!;
  const e = selected.event;
  const name = profile.strings[lane.label[e]!] ?? "";
  const info = profile.strings[lane.info[e]!] ?? "";
  const [start, dur] = [lane.start[e]!, lane.dur[e]!];
  const leads = useLink(profile, selected);
  const text = () =>
    [
      stripAnsi(name),
      `lane ${lane.name}`,
      `start ${formatMoment(start)}`,
      `duration ${formatDuration(dur)}`,
      stripAnsi(info),
    ]
      .filter((line) => line !== "")
      .join("\n");
  return (
    <section>
      <h3 class="event-name">
        <span>
          <AnsiText text={name} />
        </span>
        <CopyButton text={text} label="the event" />
      </h3>
      <Facts
        facts={[
          ["Duration", <Duration ns={dur} />],
          ["Start", <Moment ns={start} />],
          ["End", <Moment ns={start + dur} />],
          ["Lane", lane.rows.length > 1 ? `${lane.name}, row ${lane.row[e]! + 1}` : lane.name],
          ...(leads === null
            ? []
            : [
                [
                  "Leads to",
                  <button class="link" onClick={() => timeline.goToContextOf(selected)}>
                    <AnsiText text={leads} /> → <KeyCap command="timeline.open" />
                  </button>,
                ] as const,
              ]),
        ]}
      />
      {info !== "" && (
        <pre class="event-info">
          <AnsiText text={info} />
        </pre>
      )}
    </section>
  );
}

/** "context › step" where the event leads to one. */
function useLink(profile: Profile, ref: EventRef): string | null {
  const { session } = useApp();
  const lane = profile.lanes[ref.lane]!;
  const [c, s] = [lane.context[ref.event]!, lane.step[ref.event]!];
  const contexts = session.contexts.value;
  const context = contexts?.contexts[c];
  if (contexts === null || context === undefined) return null;
  const step = context.steps.name[s];
  return step === undefined ? context.name : `${context.name} › ${contexts.step_names[step]}`;
}

function NameSection({ profile, selected }: { profile: Profile; selected: EventRef }) {
  const { timeline } = useApp();
  const label = profile.lanes[selected.lane]!.label[selected.event]!;
  const sums = useComputed(() => {
    const [shown, event] = [timeline.profile.value, timeline.selectedEvent.value];
    return shown === null || event === null ? null : sumName(shown, shown.lanes[event.lane]!.label[event.event]!);
  });
  if (sums.value === null) return null;
  const { stats, events, durations } = sums.value;
  const at = events.findIndex((other) => isSameEvent(other, selected));
  return (
    <>
      <section>
        <h3 class="section-title">{nameOfPlace(at, stats.count)}</h3>
        <p class="row">
          <button disabled={at <= 0} onClick={() => stepInName(timeline, profile, -1)}>
            ‹ previous <KeyCap command="timeline.previousSame" />
          </button>
          <button disabled={at + 1 >= stats.count} onClick={() => stepInName(timeline, profile, 1)}>
            next › <KeyCap command="timeline.nextSame" />
          </button>
          <button class="quiet" onClick={() => (timeline.find.value = profile.plain[label] ?? "")}>
            strike all
          </button>
        </p>
        {stats.count > 1 && <NameFacts stats={stats} />}
      </section>
      {stats.count >= kHistogramFrom && (
        <Histogram durations={durations} current_ns={profile.lanes[selected.lane]!.dur[selected.event]!} />
      )}
    </>
  );
}

function nameOfPlace(at: number, count: number): string {
  return count === 1 ? "The only one of this name" : `${formatCount(at + 1)} of ${formatCount(count)} of this name`;
}

function NameFacts({ stats }: { stats: NameStats }) {
  const { timeline } = useApp();
  return (
    <Facts
      facts={[
        ["Sum", <Duration ns={stats.total_ns} />],
        ["Share of the profile", <Share of={stats.share} />],
        ["Mean", <Duration ns={stats.mean_ns} />],
        ["Median", <Duration ns={stats.median_ns} />],
        ["P90", <Duration ns={stats.p90_ns} />],
        [
          "Worst",
          <button class="link" onClick={() => timeline.frame(stats.worst)}>
            {formatDuration(stats.max_ns)} →
          </button>,
        ],
      ]}
    />
  );
}

const kHistogramFrom = 8;
const kBins = 28;

/** How long the events of the name are; the bar of the selected one stands out. */
function Histogram({ durations, current_ns }: { durations: Float64Array; current_ns: number }) {
  const bins = makeHistogram(durations, kBins);
  const most = Math.max(...bins.map((bin) => bin.count));
  const current = binOf(bins, current_ns);
  return (
    <section class="histogram">
      <h3 class="section-title">Durations, logarithmic</h3>
      <div class="histogram-bars" role="img" aria-label="How often each duration occurs">
        {bins.map((bin, i) => (
          <span
            key={i}
            class={i === current ? "current" : undefined}
            style={{ height: `${bin.count === 0 ? 0 : Math.max((bin.count / most) * 100, 3)}%` }}
            title={`${formatDuration(bin.from_ns)} to ${formatDuration(bin.to_ns)}: ${formatCount(bin.count)}`}
          />
        ))}
      </div>
      <p class="histogram-ends">
        <span>{formatDuration(durations[0] ?? 0)}</span>
        <span>{formatDuration(durations[durations.length - 1] ?? 0)}</span>
      </p>
    </section>
  );
}
