// What launched an event of a device: the call of the host, its operator, its module, and the Python stack around them.
import type { EventItem, LaunchFrame } from "../../lib/timeline/events";
import { sortFrames } from "../../lib/timeline/launch-frames";
import { AnsiText } from "../parts/ansi-text";
import { KeyCap } from "../parts/key-cap";
import { useTimeline } from "./context";
import { useTimes } from "./times";

/** Nothing where the capture does not tell. */
export function LaunchedIn({ frames }: { frames: readonly LaunchFrame[] }) {
  if (frames.length === 0) return null;
  const { call, operators, modules, ranges, stack, others } = sortFrames(frames);
  return (
    <section class="launched-in">
      <h2 class="section-title">
        Launched by <KeyCap command="timeline.flowBack" />
      </h2>
      <dl>
        <Frames title="Call" frames={call} />
        <Frames title="Operator" frames={operators} />
        <Frames title="Module" frames={modules} />
        <Frames title="Range" frames={ranges} />
        <Frames title="Python stack" frames={stack} />
        <Frames title="In" frames={others} />
      </dl>
    </section>
  );
}

/** The innermost first. */
function Frames({ title, frames }: { title: string; frames: readonly LaunchFrame[] }) {
  if (frames.length === 0) return null;
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {frames.map(({ item, isForward }) => (
          <p key={`${item.lane} ${item.event}`}>
            <EventLink item={item} />
            {isForward && <span class="dim"> forward</span>}
          </p>
        ))}
      </dd>
    </div>
  );
}

/** To an event, with how long it took. */
export function EventLink({ item }: { item: EventItem }) {
  const times = useTimes();
  const timeline = useTimeline();
  return (
    <>
      <button class="link name" title={item.label} onClick={() => timeline.show(item)}>
        <AnsiText text={item.label} />
      </button>{" "}
      <span class="dim">{times.duration(item.dur)}</span>
    </>
  );
}
