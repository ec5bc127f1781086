// What stands where a capture will be, while it is read for the first time: how far that is, and which lanes are known.
import { formatCount } from "../lib/text";
import type { Opening } from "../state/opening";
import { Blank } from "./blank";

const kMostNamed = 12;

export function Reading({ title, opening }: { title: string; opening: Opening | null }) {
  if (opening === null) return <Blank title={title} />;
  const { done, of } = opening;
  return <Blank title={title} lines={describeOpening(opening)} progress={of === null ? null : { done, of }} />;
}

function describeOpening({ what, done, of, lanes }: Opening): string[] {
  const more = lanes.length > kMostNamed ? ` and ${formatCount(lanes.length - kMostNamed)} more` : "";
  const count = of !== null ? `: ${formatCount(done)} of ${formatCount(of)}` : done > 0 ? `: ${formatCount(done)}` : "";
  return [
    `${what}${count}`,
    ...(lanes.length === 0 ? [] : [`Lanes so far: ${lanes.slice(0, kMostNamed).join(", ")}${more}.`]),
  ];
}
