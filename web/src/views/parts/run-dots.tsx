// How long a node took in each replay: a dot a run, in order of time; the slowest and the one at hand stand out.
import type { LinkedEvent } from "../../lib/links";
import { formatDuration } from "../../lib/text";

interface RunDotsProps {
  drawn: readonly { replay: number; event: LinkedEvent }[];
  now: { lane: string; index: number } | null;
  onChoose: (event: LinkedEvent) => void;
}

const kWidth = 300;
const kHeight = 84;
const kRoom = 6;

export function RunDots({ drawn, now, onChoose }: RunDotsProps) {
  const durations = drawn.map(({ event }) => event.dur_ns);
  const [least, most] = [Math.min(...durations), Math.max(...durations)];
  const x = (at: number) => kRoom + (at / Math.max(drawn.length - 1, 1)) * (kWidth - 2 * kRoom);
  const y = (ns: number) => kHeight - kRoom - ((ns - least) / Math.max(most - least, 1)) * (kHeight - 2 * kRoom);
  return (
    <figure class="run-dots">
      <figcaption class="dim">
        {formatDuration(least)} to {formatDuration(most)} over {drawn.length} replays
      </figcaption>
      <svg viewBox={`0 0 ${kWidth} ${kHeight}`} role="img" aria-label="How long it took in each replay">
        {drawn.map(({ replay, event }, at) => {
          const isNow = now !== null && event.lane === now.lane && event.index === now.index;
          const kind = isNow ? "now" : event.dur_ns === most ? "slowest" : "";
          return (
            <circle
              key={replay}
              class={kind}
              cx={x(at)}
              cy={y(event.dur_ns)}
              r={kind === "" ? 2.2 : 4}
              onClick={() => onChoose(event)}
            >
              <title>{`replay ${replay}: ${formatDuration(event.dur_ns)}`}</title>
            </circle>
          );
        })}
      </svg>
    </figure>
  );
}
