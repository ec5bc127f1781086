// Over the lanes, where none of those on screen has an event in view: where the nearest ones are, one click away.
import { useComputed, type ReadonlySignal } from "@preact/signals";
import { findShownBoxes, findShownRows, type TimelineScene } from "../../draw/timeline/scene";
import { AnsiText } from "../parts/ansi-text";
import type { EventItem } from "../../lib/timeline/events";
import { useTimeline } from "./context";
import { useAnswer } from "./use-answer";
import { useTimes } from "./times";

/** The view is asked about once it stands still. */
const kRest_ms = 150;

export function NothingHere({ scene }: { scene: ReadonlySignal<TimelineScene | null> }) {
  const times = useTimes();
  const timeline = useTimeline();
  /** Lanes with events that are on screen, where nothing is drawn in any of them. */
  const blank = useComputed(() => {
    const shown = scene.value;
    if (shown === null) return "";
    const boxes = findShownBoxes(shown).filter(({ kind }) => kind === "events");
    const isDrawn = boxes.some((box) => {
      const [from, to] = findShownRows(shown, box);
      for (let row = from; row < to; row++) if (shown.picture.spansOf(box.lane, row).length > 0) return true;
      return false;
    });
    return isDrawn ? "" : boxes.map(({ lane }) => lane).join(",");
  });
  const nearest = useAnswer(
    () => {
      const lanes = blank.value === "" ? [] : blank.value.split(",").map(Number);
      const range = timeline.range.value;
      return lanes.length === 0 ? null : (source) => source.nearest(range, lanes);
    },
    [blank],
    kRest_ms,
  ).value;
  if (nearest === null) return null;
  const { from, to } = timeline.range.value;
  const { before, after } = nearest;
  // On its way to be drawn.
  const isHere = (before !== null && before.start + before.dur > from) || (after !== null && after.start <= to);
  if (isHere || (before === null && after === null)) return null;
  return (
    <p class="nothing-here" role="status">
      No event of these lanes is in view.
      {before !== null && (
        <Nearest event={before} text={`${times.duration(from - before.start - before.dur)} earlier`} />
      )}
      {after !== null && <Nearest event={after} text={`${times.duration(after.start - to)} later`} />}
    </p>
  );
}

function Nearest({ event, text }: { event: EventItem; text: string }) {
  const timeline = useTimeline();
  return (
    <button class="link" onClick={() => timeline.show(event)}>
      <AnsiText text={event.label} /> {text}
    </button>
  );
}
