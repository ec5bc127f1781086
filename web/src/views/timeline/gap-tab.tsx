// A time in which a device did nothing: why, what ended it, the call of the host that launched that and all around it.
import { formatDuration } from "../../lib/text";
import type { IdleGap } from "../../lib/timeline/idle";
import type { Timeline } from "../../lib/timeline/timeline";
import { kIdleHints, kIdleTitles } from "../../lib/timeline/idle-cause";
import { Facts } from "../parts/facts";
import { Duration, Moment } from "../parts/figure";
import { useTimeline } from "./context";
import { EventLink, LaunchedIn } from "./launched-in";
import { useAnswer } from "./use-answer";

export function GapTab({ shown, gap }: { shown: Timeline; gap: IdleGap }) {
  const timeline = useTimeline();
  const { endedBy, call, host } = gap;
  const detail = useAnswer(() => (source) => source.detail(endedBy), [endedBy]).value;
  const late_ns = call === null ? 0 : call.start - gap.from;
  return (
    <div class="event-tab gap-tab">
      <section>
        <h2 class="event-name">
          <i class="swatch" style={{ background: `var(--idle-${gap.cause})` }} />
          {formatDuration(gap.to - gap.from)} {kIdleTitles[gap.cause]}
        </h2>
        <Facts
          facts={[
            ["Why", kIdleHints[gap.cause]],
            ["Idle for", <Duration ns={gap.to - gap.from} />],
            ["From", <Moment ns={gap.from} />],
            ["To", <Moment ns={gap.to} />],
            ["Device", gap.device === "" ? shown.lanes[gap.lane]!.title : gap.device],
            ["Ended by", <EventLink item={endedBy} />],
            ...(call === null ? [] : [["Launched by", <EventLink item={call} />] as const]),
            ...(late_ns <= 0
              ? []
              : [
                  [
                    "Launched after",
                    <>
                      <Duration ns={late_ns} /> of idling
                    </>,
                  ] as const,
                ]),
            ...(host === null ? [] : [["Host was in", <EventLink item={host} />] as const]),
          ]}
        />
        <p class="row">
          <button onClick={() => timeline.showTime(gap)}>show</button>
        </p>
      </section>
      {detail !== null && <LaunchedIn frames={detail.launchedIn} />}
    </div>
  );
}
