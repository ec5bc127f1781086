// Timeline: what the devices did and what memory they held, lane by lane, with details under it.
import { useEffect } from "preact/hooks";
import { formatCount } from "../lib/text";
import type { Opening } from "../state/profile";
import { useApp } from "./app-context";
import { Blank } from "./blank";
import { TimelineDrawer } from "./timeline-drawer";
import { TimelineStage } from "./timeline-stage";

const kMostNamed = 12;

/** How far the capture is read, and which lanes are known by now. */
function Waiting({ opening }: { opening: Opening | null }) {
  if (opening === null) return <Blank title="Reading the profile" />;
  const { what, done, of, lanes } = opening;
  const more = lanes.length > kMostNamed ? ` and ${formatCount(lanes.length - kMostNamed)} more` : "";
  const lines = [
    of === null ? `${what}: ${formatCount(done)}` : `${what}: ${formatCount(done)} of ${formatCount(of)}`,
    ...(lanes.length === 0 ? [] : [`Lanes so far: ${lanes.slice(0, kMostNamed).join(", ")}${more}.`]),
  ];
  return <Blank title="Reading the profile" lines={lines} progress={of === null ? null : { done, of }} />;
}

export function Timeline() {
  const { timeline } = useApp();
  useEffect(() => timeline.want(), [timeline]);
  const source = timeline.source.value;
  const problem = timeline.problem.value;
  if (source === null) {
    if (problem === null) return <Waiting opening={timeline.opening.value} />;
    return <Blank title="The profile cannot be shown" lines={[problem.message]} tone="broken" />;
  }
  if (source.timeline.lanes.every((lane) => lane.eventCount === 0 && lane.memory === null)) {
    return <Blank title="The profile is empty" lines={["No device did anything while it was recorded."]} />;
  }
  return (
    <div class="timeline">
      <TimelineStage source={source} />
      <TimelineDrawer source={source} />
    </div>
  );
}
