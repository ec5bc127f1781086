// The times on screen in which devices did nothing, as far as they are wide enough to be seen.
import { useComputed, type ReadonlySignal } from "@preact/signals";
import { parseRange, formatRange, spanOf, windowAround } from "../../lib/time";
import type { DrawnGap } from "../../lib/timeline/idle";
import { useTimeline } from "./context";
import { useAnswer } from "./use-answer";

const kLeast_px = 2;
/** They are asked for once the view stands still. */
const kRest_ms = 120;

export function useGaps(size: ReadonlySignal<{ width_px: number }>): ReadonlySignal<readonly DrawnGap[]> {
  const timeline = useTimeline();
  const wish = useComputed(() => {
    const source = timeline.source.value;
    const hasWork = source?.timeline.lanes.some(({ work }) => work !== null) ?? false;
    if (source === null || !hasWork || source.isBeginning || timeline.colourBy.value !== "class") return "";
    const { range, bounds } = timeline;
    const pixel_ns = spanOf(range.value) / Math.max(size.value.width_px, 1);
    // In steps, so that moving a little asks for nothing new.
    const least_ns = 2 ** Math.floor(Math.log2(Math.max(kLeast_px * pixel_ns, 1)));
    return `${formatRange(windowAround(range.value, bounds.value))} ${least_ns}`;
  });
  const answer = useAnswer(
    () => {
      const [range, least_ns] = wish.value.split(" ");
      const asked = parseRange(range);
      return asked === null ? null : (source) => source.gapsIn(asked, Number(least_ns));
    },
    [wish],
    kRest_ms,
  );
  return useComputed(() => answer.value ?? []);
}
