// The page while a capture is read for the first time: how far that is, and which lanes are known;
// and the line over what can be shown of it by then.
import type { ComponentChildren } from "preact";
import { formatBytes } from "../../lib/bytes";
import { formatCount, formatPlural } from "../../lib/text";
import type { Opening } from "../../state/opening";
import { Blank } from "./blank";

const kMostNamed = 12;

interface ReadingProps {
  title: string;
  opening: Opening | null;
  children?: ComponentChildren;
}

export function Reading({ title, opening, children }: ReadingProps) {
  if (opening === null) return <Blank title={title} />;
  const { done, of } = opening;
  return (
    <Blank title={title} lines={describeOpening(opening)} progress={of === null ? null : { done, of }}>
      {children}
    </Blank>
  );
}

/** Stands over a timeline that has this many events so far; none where only curves can be shown. */
export function StillReading({ opening, events }: { opening: Opening; events: number }) {
  const { done, of } = opening;
  return (
    <p class="still-reading" role="status">
      <b>{events === 0 ? "So far" : `${formatPlural(events, "event")} so far`}</b>
      {describeHowFar(opening)}
      {of !== null && <progress value={done} max={Math.max(of, 1)} aria-label="How much of the capture is read" />}
    </p>
  );
}

function describeHowFar({ what, unit, done, of }: Opening): string {
  const format = unit === "bytes" ? formatBytes : formatCount;
  return `${what}${of !== null ? `: ${format(done)} of ${format(of)}` : done > 0 ? `: ${format(done)}` : ""}`;
}

function describeOpening(opening: Opening): string[] {
  const { lanes } = opening;
  const more = lanes.length > kMostNamed ? ` and ${formatCount(lanes.length - kMostNamed)} more` : "";
  return [
    describeHowFar(opening),
    ...(lanes.length === 0 ? [] : [`Lanes so far: ${lanes.slice(0, kMostNamed).join(", ")}${more}.`]),
  ];
}
