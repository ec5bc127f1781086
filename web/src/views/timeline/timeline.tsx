// Timeline: what the devices did and what memory they held, lane by lane, with details under it.
import { useEffect } from "preact/hooks";
import { Blank } from "../parts/blank";
import type { OpenView } from "../view";
import { provideTimeline, useTimeline } from "./context";
import { createTimeline } from "./state/timeline";
import "./drawer.css";
import "./foot.css";
import "./lanes.css";
import "./stage.css";
import { Reading } from "../parts/reading";
import { Nothing } from "../parts/nothing";
import { TimelineDrawer } from "./drawer";
import { TimelineStage } from "./stage";
import { TraceHead } from "./trace-head";

export const openTimeline: OpenView = (app) => provideTimeline(createTimeline(app), Timeline);

function Timeline() {
  const timeline = useTimeline();
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
    return (
      <Blank title="There is nothing to draw">
        <p>
          <Nothing of="events" none="Nothing happened while it was recorded." isScoped={false} />
        </p>
      </Blank>
    );
  }
  return (
    <div class="timeline">
      {source.timeline.trace !== undefined && (
        <TraceHead shown={source.timeline} trace={source.timeline.trace} isBeginning={source.isBeginning} />
      )}
      <TimelineStage source={source} />
      <TimelineDrawer source={source} />
    </div>
  );
}
