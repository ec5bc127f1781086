// Timeline: what the devices did and what memory they held, lane by lane, with details under it.
import { useEffect } from "preact/hooks";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Reading } from "../parts/reading";
import { TimelineDrawer } from "./drawer";
import { TimelineStage } from "./stage";

export function Timeline() {
  const { timeline } = useApp();
  useEffect(() => timeline.want(), [timeline]);
  const source = timeline.source.value;
  const problem = timeline.problem.value;
  if (source === null) {
    if (problem === null) return <Reading title="Reading the profile" opening={timeline.opening.value} />;
    return <Blank title="The profile cannot be shown" lines={[problem.message]} tone="broken" />;
  }
  if (
    source.timeline.lanes.every((lane) => lane.eventCount === 0 && lane.memory === null && lane.counters.length === 0)
  ) {
    return <Blank title="The profile is empty" lines={["No device did anything while it was recorded."]} />;
  }
  return (
    <div class="timeline">
      <TimelineStage source={source} />
      <TimelineDrawer source={source} />
    </div>
  );
}
