// The selected event: its times and figures, what it leads to, and how it stands among the others of its name.
import type { ComponentChildren } from "preact";
import { stripAnsi } from "../../lib/ansi";
import { linkToNodes } from "../../lib/links";
import { fieldsOf, formatArgument, formatField, ratesOf, readFrames } from "../../lib/timeline/arguments";
import { formatByClock } from "../../lib/timeline/cycle-axis";
import { binOf, type DurationSums } from "../../lib/timeline/stats";
import type { EventArgument, EventDetail, EventItem } from "../../lib/timeline/events";
import type { Timeline } from "../../lib/timeline/timeline";
import { formatCount } from "../../lib/text";
import type { EventPlace, TimelineSource } from "../../lib/timeline/source";
import { AnsiText } from "../parts/ansi-text";
import { Name } from "../parts/name";
import { useApp } from "../parts/app-context";
import { AllocationFacts } from "./allocation-facts";
import { useTimeline } from "./context";
import { CallStack } from "../parts/call-stack";
import { CopyButton } from "../parts/copy-button";
import { KeyCap } from "../parts/key-cap";
import { Figure, Share } from "../parts/figure";
import { Facts } from "../parts/facts";
import { EventMemory } from "./event-memory";
import { GapTab } from "./gap-tab";
import { LaunchedIn } from "./launched-in";
import { LongName } from "./long-name";
import { ReplaySection } from "./replay-section";
import { At, Took, useTimes } from "./times";
import { kProgramCounter, Listed, sayDelay, WavesOf } from "./traced-event";
import { useAnswer } from "./use-answer";

export function TimelineEventTab({ source }: { source: TimelineSource }) {
  const timeline = useTimeline();
  const event = timeline.selectedEvent.value;
  const allocation = timeline.selectedAllocation.value;
  if (allocation !== null) return <AllocationFacts source={source} selected={allocation} />;
  const gap = timeline.gap.value;
  if (event === null && gap !== null) return <GapTab shown={source.timeline} gap={gap} />;
  if (event === null) {
    return (
      <p class="dim note">
        Click an event, a time in which a device did nothing, or step through a row with{" "}
        <KeyCap command="timeline.previous" /> <KeyCap command="timeline.next" />.
      </p>
    );
  }
  const detail = timeline.detail.value;
  return (
    <div class="event-tab">
      <EventFacts shown={source.timeline} item={event} detail={detail} />
      <WavesOf shown={source.timeline} item={event} />
      {detail !== null && <ReplaySection item={event} category={detail.category} />}
      <EventMemory source={source} item={event} />
      {detail !== null && <LaunchedIn frames={detail.launchedIn} />}
      {detail !== null && <CalledFrom detail={detail} />}
      {detail !== null && <Correlated shown={source.timeline} detail={detail} />}
      <NameSection shown={source.timeline} item={event} />
    </div>
  );
}

interface EventFactsProps {
  shown: Timeline;
  item: EventItem;
  detail: EventDetail | null;
}

/** The argument that names the graph's nodes which an event stands for. */
const kNodes = "nodes";

/** Each leads to where the graph's search finds it. */
function Nodes({ names }: { names: string }) {
  const { place } = useApp();
  return (
    <>
      {names.split(", ").map((name) => (
        <button key={name} class="link mono" onClick={() => place.follow(linkToNodes(name))}>
          {name}
        </button>
      ))}
    </>
  );
}

function EventFacts({ shown, item, detail }: EventFactsProps) {
  const times = useTimes();
  const timeline = useTimeline();
  const lane = shown.lanes[item.lane]!;
  const leads = useLink(detail);
  const hasProgram = useApp().session.contexts.value?.contexts[detail?.context ?? -1]?.program === true;
  const args = (detail?.arguments ?? []).map((argument) => [argument.name, formatArgument(argument)] as const);
  const rates = ratesOf(detail);
  const byClock = shown.trace === undefined ? null : formatByClock(shown.trace, item.start, item.dur);
  const delay = shown.trace === undefined || detail === null ? null : sayDelay(item, detail);
  const text = () =>
    [
      stripAnsi(item.label),
      `lane ${lane.title}`,
      `start ${times.moment(item.start)}`,
      item.kind === "instant" ? "instant" : `duration ${times.duration(item.dur, item.dur_ps)}`,
      ...rates.map(([name, text]) => `${name} ${text}`),
      ...args.map(([name, text]) => `${name} ${text}`),
    ]
      .filter((line) => line !== "")
      .join("\n");
  return (
    <section>
      <h2 class="event-name">
        <LongName key={item.label} text={item.label} />
        <CopyButton text={text} label="the event" />
      </h2>
      <Facts
        facts={[
          item.kind === "instant"
            ? ["Kind", "instant: a moment without a duration"]
            : ["Duration", <Took time={item.dur} ps={item.dur_ps} />],
          ...(kKinds[item.kind] === null ? [] : [["Kind", kKinds[item.kind]] as const]),
          ...(item.isError ? [["Error", <b class="error">it failed</b>] as const] : []),
          ...((detail?.category ?? "") === "" ? [] : [["Category", detail?.category] as const]),
          ...(lane.hz === null ? [] : [["Cycles", <Cycles dur_ns={item.dur} hz={lane.hz} />] as const]),
          ...(byClock === null ? [] : [["By the clock", byClock] as const]),
          ...(delay === null ? [] : [["Delay", delay] as const]),
          ["Self", detail === null ? "…" : <Took time={detail.self_ns} />],
          ["Start", <At time={item.start} />],
          ["End", <At time={item.start + item.dur} />],
          ["Lane", lane.rowCount > 1 ? `${lane.title}, row ${item.row + 1}` : lane.title],
          ...(leads === null
            ? []
            : [
                [
                  "Leads to",
                  <button class="link" onClick={() => timeline.open(item)}>
                    <AnsiText text={leads} /> → <KeyCap command="timeline.open" />
                  </button>,
                ] as const,
              ]),
          ...(hasProgram
            ? [
                [
                  "Program",
                  <>
                    <button class="link" onClick={() => timeline.openProgram(item, "source")}>
                      source → <KeyCap command="timeline.source" />
                    </button>{" "}
                    <button class="link" onClick={() => timeline.openProgram(item, "machine")}>
                      machine code → <KeyCap command="timeline.machine" />
                    </button>
                  </>,
                ] as const,
              ]
            : []),
          ...rates,
          ...(detail?.arguments ?? []).flatMap((argument) => factsOfArgument(argument, shown)),
        ]}
      />
    </section>
  );
}

/** An argument as a fact, or each field of one that is an object; a stack stands by itself. */
function factsOfArgument(argument: EventArgument, { trace }: Timeline): (readonly [string, ComponentChildren])[] {
  const fields = fieldsOf(argument);
  if (fields === null) {
    const text = formatArgument(argument);
    if (trace !== undefined && trace.program >= 0 && argument.name === kProgramCounter)
      return [[argument.name, <Listed program={trace.program} address={text} />]];
    return [[argument.name, argument.name === kNodes ? <Nodes names={text} /> : <AnsiText text={text} />]];
  }
  return fields.flatMap(([name, value]) =>
    readFrames(value) === null ? [[name, <AnsiText text={formatField(value)} />] as const] : [],
  );
}

/** Where the program was that asked for it, as far as the capture tells. */
function CalledFrom({ detail }: { detail: EventDetail }) {
  const fields = detail.arguments.flatMap((argument) => fieldsOf(argument) ?? []);
  const stacks = fields.map(([, value]) => readFrames(value)).filter((frames) => frames !== null);
  if (stacks.length === 0) return null;
  return (
    <section>
      <h2 class="section-title">Called from</h2>
      {stacks.map((frames, i) => (
        <CallStack key={i} frames={frames} />
      ))}
    </section>
  );
}

function Cycles({ dur_ns, hz }: { dur_ns: number; hz: number }) {
  const cycles = Math.round((dur_ns * hz) / 1e9);
  return <Figure text={`${formatCount(cycles)} at ${(hz / 1e6).toFixed(0)} MHz`} exact={cycles} />;
}

/** Lines that explain the kinds of events. */
const kKinds = {
  span: null,
  instant: null,
  unfinished: "unfinished: still running when the capture ended",
  asynchronous: "asynchronous: says nothing of what its lane was busy with",
};

/** "context › pass" where the event leads to one. */
function useLink(detail: EventDetail | null): string | null {
  const { session } = useApp();
  const contexts = session.contexts.value;
  const context = contexts?.contexts[detail?.context ?? -1];
  if (contexts === null || detail === null || context === undefined) return null;
  const pass = context.passes.name[detail.pass];
  return pass === undefined ? context.name : `${context.name} › ${contexts.pass_names[pass]}`;
}

/** The event's relatives: the event around it, what launched it, what it launched, the memory it touches. */
function Correlated({ shown, detail }: { shown: Timeline; detail: EventDetail }) {
  const times = useTimes();
  const timeline = useTimeline();
  const { parent, incoming, outgoing, allocations } = detail;
  if (parent === null && incoming.length + outgoing.length + allocations.length === 0) return null;
  const link = (item: EventItem) => (
    <li key={`${item.lane} ${item.event}`}>
      <button class="link" onClick={() => timeline.show(item)}>
        <Name name={item.label} />
      </button>{" "}
      <span class="dim">
        {times.duration(item.dur)} on {shown.lanes[item.lane]?.title}
      </span>
    </li>
  );
  return (
    <section class="correlated">
      {parent !== null && <CorrelatedList title="Inside">{link(parent)}</CorrelatedList>}
      {incoming.length > 0 && (
        <CorrelatedList title="Launched by" command="timeline.flowBack">
          {incoming.map(link)}
        </CorrelatedList>
      )}
      {outgoing.length > 0 && (
        <CorrelatedList title="Leads to" command="timeline.flowAhead">
          {outgoing.map(link)}
        </CorrelatedList>
      )}
      {allocations.length > 0 && (
        <CorrelatedList title="Memory it touches">
          {allocations.map((ref) => (
            <li key={`${ref.lane} ${ref.allocation}`}>
              <button class="link" onClick={() => timeline.show(ref)}>
                {shown.lanes[ref.lane]?.title} buffer {ref.allocation}
              </button>
            </li>
          ))}
        </CorrelatedList>
      )}
    </section>
  );
}

function CorrelatedList({
  title,
  command,
  children,
}: {
  title: string;
  command?: string;
  children: ComponentChildren;
}) {
  return (
    <>
      <h2 class="section-title">
        {title} {command !== undefined && <KeyCap command={command} />}
      </h2>
      <ul>{children}</ul>
    </>
  );
}

function NameSection({ shown, item }: { shown: Timeline; item: EventItem }) {
  const timeline = useTimeline();
  const place = useAnswer(() => (source) => source.placeInName(item), [item]).value;
  const sums = useAnswer(() => (source) => source.sumDurations(item), [item.name, item.lane]).value;
  return (
    <>
      <section>
        <h2 class="section-title">{place === null ? "Of this name" : nameOfPlace(place)}</h2>
        <p class="row">
          <button disabled={place !== null && place.at <= 0} onClick={() => timeline.steps.inName(-1)}>
            ‹ previous <KeyCap command="timeline.previousSame" />
          </button>
          <button disabled={place !== null && place.at + 1 >= place.count} onClick={() => timeline.steps.inName(1)}>
            next › <KeyCap command="timeline.nextSame" />
          </button>
          <button class="quiet" onClick={() => (timeline.find.value = stripAnsi(item.label))}>
            highlight all
          </button>
        </p>
        {sums !== null && sums.count > 1 && (
          <>
            <h3 class="section-title">On {shown.lanes[item.lane]!.title}</h3>
            <NameFacts sums={sums} />
          </>
        )}
      </section>
      {sums !== null && sums.count >= kHistogramFrom && <Histogram sums={sums} current_ns={item.dur} />}
    </>
  );
}

function nameOfPlace({ at, count }: EventPlace): string {
  return count === 1 ? "The only one of this name" : `${formatCount(at + 1)} of ${formatCount(count)} of this name`;
}

function NameFacts({ sums }: { sums: DurationSums }) {
  const times = useTimes();
  const timeline = useTimeline();
  return (
    <Facts
      facts={[
        ["Count", <Figure text={formatCount(sums.count)} exact={sums.count} />],
        ["Total", <Took time={sums.total_ns} />],
        ["Self", <Took time={sums.self_ns} />],
        [
          "Share",
          <>
            <Share of={sums.share} /> of the busy time of its lanes, <Share of={sums.wall_share} /> of wall time
          </>,
        ],
        ["Mean", <Took time={sums.mean_ns} />],
        ["Median", <Took time={sums.median_ns} />],
        ["P90", <Took time={sums.p90_ns} />],
        [
          "Longest",
          <button class="link" onClick={() => timeline.frame(sums.worst)}>
            {times.duration(sums.max_ns)} →
          </button>,
        ],
      ]}
    />
  );
}

const kHistogramFrom = 8;

/** How long the events of the name are; the bar of the selected one stands out. */
function Histogram({ sums, current_ns }: { sums: DurationSums; current_ns: number }) {
  const times = useTimes();
  const { bins, least_ns, max_ns } = sums;
  const most = Math.max(...bins.map((bin) => bin.count));
  const current = binOf(bins, current_ns);
  return (
    <section class="histogram">
      <h2 class="section-title">Durations, logarithmic</h2>
      <div class="histogram-bars" role="img" aria-label="How often each duration occurs">
        {bins.map((bin, i) => (
          <span
            key={i}
            class={i === current ? "current" : undefined}
            style={{ height: `${bin.count === 0 ? 0 : Math.max((bin.count / most) * 100, 3)}%` }}
            title={`${times.duration(bin.from_ns)} to ${times.duration(bin.to_ns)}: ${formatCount(bin.count)}`}
          />
        ))}
      </div>
      <p class="histogram-ends">
        <span>{times.duration(least_ns)}</span>
        <span>{times.duration(max_ns)}</span>
      </p>
    </section>
  );
}
