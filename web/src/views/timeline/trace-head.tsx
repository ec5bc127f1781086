// Over the lanes of a run's thread trace: which run it is, ways to its program and back, its other parts, and what of it
// is not shown.
import { linkFromTrace, linkToProgramAlone, linkToTrace } from "../../lib/links";
import type { TraceInfo } from "../../lib/timeline/timeline";
import { formatCount, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";

export function TraceHead({ trace }: { trace: TraceInfo }) {
  const { place } = useApp();
  const { run, part, parts, program, notes } = trace;
  return (
    <p class="trace-head">
      <b>{trace.name}</b>
      <span class="dim">
        {formatPlural(trace.instructions, "instruction")}, in cycles of the shader's clock
        {trace.clockCycle.length < 2 && ": the trace does not tell how long one takes"}
      </span>
      {parts > 1 && (
        <span class="choices" role="group" aria-label="Parts">
          <button disabled={part === 0} onClick={() => place.follow(linkToTrace(run, part - 1))}>
            ‹ earlier
          </button>
          part {formatCount(part + 1)} of {formatCount(parts)}
          <button disabled={part + 1 >= parts} onClick={() => place.follow(linkToTrace(run, part + 1))}>
            later ›
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
      <button class="link" onClick={() => place.follow(linkFromTrace())}>
        back to the capture's timeline
      </button>
    </p>
  );
}
