// Over the lanes of a run's thread trace or samples: which run it is, ways to its program, to the runs before and after
// it and back, its other parts, and what of it is not shown.
import { linkFromTrace, linkToProgramAlone, linkToTrace } from "../../lib/links";
import { tracedRunsAround } from "../../lib/timeline/traced-runs";
import type { Timeline, TraceInfo } from "../../lib/timeline/timeline";
import { formatCount, formatPlural } from "../../lib/text";
import { useApp, useCommand } from "../parts/app-context";
import { KeyCap } from "../parts/key-cap";

interface TraceHeadProps {
  shown: Timeline;
  trace: TraceInfo;
  isBeginning: boolean;
}

export function TraceHead({ shown, trace, isBeginning }: TraceHeadProps) {
  const { place } = useApp();
  const { part, parts, program, notes } = trace;
  const { before, now, after } = tracedRunsAround(shown.tracedRuns ?? [], trace.trace);
  const goTo = (other: typeof now) => {
    if (other === null) return false;
    place.follow(linkToTrace(other.trace));
    return true;
  };
  const back = () => place.follow(linkFromTrace(now?.event ?? null));
  useCommand("timeline.nodeBefore", () => goTo(before));
  useCommand("timeline.nodeAfter", () => goTo(after));
  useCommand("timeline.waves", back);
  return (
    <p class="trace-head">
      <b>{trace.name}</b>
      <span class="dim">
        {isBeginning && "the first "}
        {sayWhatOf(trace)}
      </span>
      {parts > 1 && (
        <span class="choices" role="group" aria-label="Parts">
          <button disabled={part === 0} onClick={() => place.follow(linkToTrace(trace.trace, part - 1))}>
            ‹ earlier
          </button>
          part {formatCount(part + 1)} of {formatCount(parts)}
          <button disabled={part + 1 >= parts} onClick={() => place.follow(linkToTrace(trace.trace, part + 1))}>
            later ›
          </button>
        </span>
      )}
      {(before !== null || after !== null) && (
        <span class="choices" role="group" aria-label="Runs">
          <button disabled={before === null} title={before?.kernel} onClick={() => goTo(before)}>
            ‹ run before <KeyCap command="timeline.nodeBefore" />
          </button>
          <button disabled={after === null} title={after?.kernel} onClick={() => goTo(after)}>
            run after › <KeyCap command="timeline.nodeAfter" />
          </button>
        </span>
      )}
      {notes.length > 0 && (
        <span class="dim" title={notes.join("\n")}>
          {formatPlural(notes.length, "note")}
        </span>
      )}
      <span class="spacer" />
      {program >= 0 && (
        <button class="link" onClick={() => place.follow(linkToProgramAlone({ index: program, name: "" }))}>
          its program →
        </button>
      )}
      <button class="link" onClick={back}>
        back to {now?.event == null ? "the capture's timeline" : "its kernel on the timeline"}{" "}
        <KeyCap command="timeline.waves" />
      </button>
    </p>
  );
}

function sayWhatOf({ of, instructions, clockCycle }: TraceInfo): string {
  if (of === "samples") return `${formatPlural(instructions, "sample")} of warps, in cycles of their multiprocessor`;
  const unknown = clockCycle.length < 2 ? ": the trace does not tell how long one takes" : "";
  return `${formatPlural(instructions, "instruction")}, in cycles of the shader's clock${unknown}`;
}
