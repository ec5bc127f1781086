// Beside the panel: the allocations of what is chosen, and one of them with its life, its stack, and the operator of a
// trace beside it that asked for it.
import {
  isPython,
  kNotCompiled,
  parseLine,
  sayEntry,
  sayOwner,
  type WireFrame,
  type WireLifeDetail,
} from "../../lib/allocator";
import { formatBytes } from "../../lib/bytes";
import { linkBeside, linkToEvent } from "../../lib/links";
import { formatCount, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { CallStack } from "../parts/call-stack";
import { Facts } from "../parts/facts";
import { Bytes, Duration, Moment } from "../parts/figure";
import { ListExport, ListTable } from "../parts/list-view/list-view";
import { SourceLine } from "../parts/location-link";
import { Section } from "../parts/section";
import { dataOf } from "../../state/fetched";
import type { AllocatorState, Memories } from "./state";

export function AllocatorSide({ state, memories }: { state: AllocatorState; memories: Memories }) {
  const lives = dataOf(state.lives.value);
  const detail = dataOf(state.life.value);
  const hasStacks = state.whole.value.value?.data.lacking.includes("stacks") === false;
  const problem = state.lives.value.problem;
  if (problem !== null)
    return <Blank title="The allocations cannot be shown" lines={[problem.message]} tone="broken" />;
  if (detail === undefined && lives === undefined) {
    return <p class="dim note">Choose an owner, or a block, to see its allocations, its line and its stack.</p>;
  }
  return (
    <div class="allocator-side scroll" data-scrolls tabIndex={0}>
      {detail !== undefined && (
        <LifeSection detail={detail} memories={memories} hasStacks={hasStacks} hasTimes={state.hasTimes.value} />
      )}
      {lives !== undefined && state.panel.value !== "find" && (
        <Section
          title="Allocations"
          note={`${formatPlural(lives.count, "allocation")}, ${formatBytes(lives.block_bytes)}`}
        >
          <div class="allocator-side-tools">
            {lives.rows.length < lives.count && <span class="dim">the largest {formatCount(lives.rows.length)}</span>}
            <ListExport list={state.lifeList} name="allocations" />
          </div>
          <ListTable
            list={state.lifeList}
            label="Allocations"
            columns={state.lifeList.columns.value.filter(({ id }) => id !== "line" && id !== "address")}
            nothing="Nothing of it is allocated then."
          />
        </Section>
      )}
    </div>
  );
}

interface LifeProps {
  detail: WireLifeDetail;
  memories: Memories;
  /** Whether any allocation of the snapshot has a stack. */
  hasStacks: boolean;
  hasTimes: boolean;
}

function LifeSection({ detail, memories, hasStacks, hasTimes }: LifeProps) {
  const { life, frames, forward_frames, depth } = detail;
  const end_ns = life.freed_ns ?? memories.dur_ns;
  return (
    <Section title="Allocation" note={<span class="mono">{life.address}</span>}>
      <LineOf text={life.line} frames={frames} />
      {life.forward_line !== null && (
        <>
          <p class="dim">Where its forward was:</p>
          <LineOf text={life.forward_line} frames={forward_frames} />
        </>
      )}
      <Facts
        facts={[
          ["Block", <Bytes bytes={life.block_bytes} />],
          ["Requested", <Bytes bytes={life.requested_bytes} />],
          [
            "Made at",
            life.born_ns === null ? (
              "before the first entry"
            ) : (
              <Time ns={life.born_ns} entry={life.born_entry} hasTimes={hasTimes} />
            ),
          ],
          ["Freed at", <Freed detail={detail} hasTimes={hasTimes} />],
          ...(hasTimes ? [["Alive here for", <Duration ns={end_ns - (life.born_ns ?? 0)} />] as const] : []),
          ["Pool", `${sayOwner(life.pool === null ? null : [...life.pool], "pool")}, stream ${life.stream}`],
          ["Operator", life.operator ?? <span class="dim">none on its stack</span>],
          ...(life.phase === null ? [] : [["Phase", life.phase] as const]),
          ...(life.metadata === null ? [] : [["Metadata", life.metadata] as const]),
          ...(life.compile_context === null || life.compile_context === kNotCompiled
            ? []
            : [["Compiled", life.compile_context] as const]),
          ...(detail.link === undefined ? [] : [["In the trace", <TraceLink detail={detail} />] as const]),
        ]}
      />
      <h3 class="section-title">Its stack{depth > 0 && `, ${formatPlural(depth, "frame")}`}</h3>
      {depth === 0 ? <p class="dim">{hasStacks ? kOnlyPython : kNoStack}</p> : <Stack frames={frames} />}
      {forward_frames.length > 0 && (
        <>
          <h3 class="section-title">The stack of its forward, {formatPlural(forward_frames.length, "frame")}</h3>
          <CallStack frames={forward_frames.map(toStackFrame)} />
        </>
      )}
    </Section>
  );
}

const toStackFrame = ({ function: name, ...frame }: WireFrame) => ({ ...frame, name });

/** The user's line, with its code where a frame has it; else the words that stand for it. */
function LineOf({ text, frames }: { text: string; frames: readonly WireFrame[] }) {
  const line = parseLine(text);
  if (line === null) return <p class="dim">{text}</p>;
  const frame = frames.find(({ file, line: at }) => file === line.file && at === line.line);
  return <SourceLine location={[line.file, line.line, frame?.code ?? null]} />;
}

/** Lines of Python first, as people look for these; those of C++, which have no place to go to, below. */
function Stack({ frames }: { frames: WireLifeDetail["frames"] }) {
  const python = frames.filter(isPython);
  const others = frames.filter((frame) => !isPython(frame));
  return (
    <div class="allocator-stack">
      {python.length === 0 && (
        <p class="dim">
          {frames.some((frame) => frame.function.startsWith("torch::autograd::Engine")) ? kBackward : kOtherThread}
        </p>
      )}
      <CallStack frames={python.map(toStackFrame)} />
      {others.length > 0 && (
        <details>
          <summary class="dim">{formatPlural(others.length, "frame")} of C++</summary>
          <ol class="mono">
            {others.map((frame, i) => (
              <li key={i} title={frame.function}>
                {frame.function.slice(0, kNameLetters)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

const kNameLetters = 300;
const kNoStack = "No stack was recorded for it.";
const kOnlyPython =
  'No stack was recorded for it: of Python alone, as stacks="python" has it, there is none on the threads on which autograd runs a backward pass. With a trace of the same run beside it, its operator is known.';
const kBackward =
  "No line of Python: autograd runs a backward pass on threads of its own, without Python. Its node and operator stand for it.";
const kOtherThread = "No line of Python was recorded: the allocation was made on another thread.";

function Time({ ns, entry, hasTimes }: { ns: number; entry: number; hasTimes: boolean }) {
  if (!hasTimes) return <>{sayEntry(entry)}</>;
  return (
    <>
      <Moment ns={ns} /> <span class="dim">{sayEntry(entry)}</span>
    </>
  );
}

function Freed({ detail: { life }, hasTimes }: { detail: WireLifeDetail; hasTimes: boolean }) {
  const { freed_ns, freed_entry, completed_ns, completed_entry, is_lost } = life;
  if (freed_entry === null) return <>never, allocated at the end</>;
  return (
    <>
      {freed_ns === null ? "before the first entry" : <Time ns={freed_ns} entry={freed_entry} hasTimes={hasTimes} />}
      {is_lost && <span class="dim">, as no entry says: it was gone by then</span>}
      {(completed_ns ?? Infinity) > (freed_ns ?? 0) && (
        <span class="dim">
          , in use on another stream{" "}
          {completed_ns === null ? (
            "to the end"
          ) : (
            <>until {hasTimes ? <Moment ns={completed_ns} /> : sayEntry(completed_entry!)}</>
          )}
        </span>
      )}
    </>
  );
}

const kNoReports = "the trace does not report memory, as profile(profile_memory=True) would.";

/** The operator of the trace that asked for it; and where both lie one above the other. */
function TraceLink({ detail: { link, life } }: { detail: WireLifeDetail }) {
  const { place } = useApp();
  const { event, status, trace } = link!;
  const beside = life.born_ns !== null && (
    <button class="link" onClick={() => place.follow(linkBeside(life.born_ns!, trace, event))}>
      the timeline, one above the other
    </button>
  );
  if (event === null) {
    const why =
      status === "no reports"
        ? `By time alone several threads may have asked: ${kNoReports}`
        : "The trace reports no allocation of this address near that time.";
    return (
      <>
        <span class="dim">{why}</span> {beside}
      </>
    );
  }
  return (
    <>
      <button
        class="link"
        title={`${trace}: the operator that asked${status === "linked" ? ", by the profiler's own report of this address" : ""}`}
        onClick={() => place.follow({ ...linkToEvent(event), capture: trace })}
      >
        {event.name}
      </button>
      {status === "by time" && <span class="dim"> by time alone, not sure: {kNoReports}</span>}
      <br />
      {beside}
    </>
  );
}
