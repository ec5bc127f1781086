// What an event has to do with thread traces: of a kernel or a wave on a capture's timeline, the way to its instructions;
// of an instruction on a trace's, the way to its row of the listing, and how long it waited for its unit.
import { linkToInstruction, linkToTrace } from "../../lib/links";
import type { EventDetail, EventItem } from "../../lib/timeline/events";
import type { Timeline } from "../../lib/timeline/timeline";
import { tracedRunOf } from "../../lib/timeline/traced-runs";
import { formatPlural } from "../../lib/text";
import { useApp, useCommand } from "../parts/app-context";
import { KeyCap } from "../parts/key-cap";

/** From a kernel, or a wave of its, to what its thread traces tell; nothing for other events. */
export function WavesOf({ shown, item }: { shown: Timeline; item: EventItem }) {
  const run = shown.trace === undefined ? tracedRunOf(shown.tracedRuns ?? [], shown.lanes[item.lane]!, item) : null;
  return run === null ? null : <WavesLink key={run.trace} trace={run.trace} />;
}

function WavesLink({ trace }: { trace: string }) {
  const { place } = useApp();
  const go = () => place.follow(linkToTrace(trace));
  useCommand("timeline.waves", go);
  return (
    <p class="note">
      <button class="link" onClick={go}>
        {trace.startsWith("s") ? "Its warps, sample by sample" : "Its waves and instructions, cycle by cycle"} →{" "}
        <KeyCap command="timeline.waves" />
      </button>
    </p>
  );
}

/** The argument that says where in the program an instruction of a thread trace is. */
export const kProgramCounter = "pc";

export function Listed({ program, address }: { program: number; address: string }) {
  const { place } = useApp();
  return (
    <button
      class="link mono"
      title="Show it in the program's listing"
      onClick={() => place.follow(linkToInstruction({ index: program, name: "" }, address))}
    >
      {address}
    </button>
  );
}

/** The delay of an instruction until its unit executed it, or of an execution since its dispatch; null for others. */
export function sayDelay(item: EventItem, { incoming, outgoing }: EventDetail): string | null {
  const [dispatch, execution] = [incoming[0], outgoing[0]];
  if (dispatch !== undefined) return `${formatPlural(item.start - dispatch.start, "cycle")} since its dispatch`;
  if (execution !== undefined) return `${formatPlural(execution.start - item.start, "cycle")} until its execution`;
  return null;
}
