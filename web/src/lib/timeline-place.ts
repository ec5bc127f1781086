// What of the timeline is looked at, as it stands in the URL: times in nanoseconds, all else by name.
import type { EventRef, Profile } from "./lanes";
import {
  formatAllocationKey,
  formatEventKey,
  parseAllocationKey,
  parseEventKey,
  type AllocationRef,
} from "./lanes-find";
import type { Area } from "./lanes-stats";
import { clampRange, formatRange, parseRange, wholeRange, type TimeRange } from "./time";

export interface Sight {
  range: TimeRange;
  selected: EventRef | AllocationRef | null;
  area: Area | null;
  marks: readonly TimeRange[];
  turned: ReadonlySet<string>;
  find: string;
}

type Fields = Readonly<Record<string, string>>;

const kOwnKeys = ["time", "event", "allocation", "area", "marks", "lanes", "find"];
const kMostMarks = 20;

/** Fields of a place with this sight; fields of other views stay. What is as at first is left out. */
export function formatSight(profile: Profile, sight: Sight, others: Fields): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(others)) if (!kOwnKeys.includes(key)) fields[key] = value;
  const whole = wholeRange(profile.dur_ns);
  if (formatRange(sight.range) !== formatRange(whole)) fields.time = formatRange(sight.range);
  if (sight.selected !== null) {
    if ("event" in sight.selected) fields.event = formatEventKey(profile, sight.selected);
    else fields.allocation = formatAllocationKey(profile, sight.selected);
  }
  if (sight.area !== null) {
    const names = sight.area.lanes.map((lane) => profile.lanes[lane]!.name);
    fields.area = [formatRange(sight.area.range), ...names].join("|");
  }
  if (sight.marks.length > 0) fields.marks = sight.marks.map(formatRange).join("|");
  if (sight.turned.size > 0) fields.lanes = [...sight.turned].join("|");
  if (sight.find !== "") fields.find = sight.find;
  return fields;
}

/** What makes no sense, or names nothing of this profile, is as at first. */
export function parseSight(profile: Profile, fields: Fields): Sight {
  const whole = wholeRange(profile.dur_ns);
  const range = parseRange(fields.time);
  return {
    range: range === null ? whole : clampRange(range, whole),
    selected: parseEventKey(profile, fields.event) ?? parseAllocationKey(profile, fields.allocation),
    area: parseArea(profile, fields.area),
    marks: (fields.marks ?? "")
      .split("|")
      .slice(0, kMostMarks)
      .map(parseRange)
      .filter((mark) => mark !== null),
    turned: new Set((fields.lanes ?? "").split("|").filter((name) => name !== "")),
    find: fields.find ?? "",
  };
}

function parseArea(profile: Profile, text: string | undefined): Area | null {
  const [times, ...names] = (text ?? "").split("|");
  const range = parseRange(times);
  const wanted = new Set(names);
  const lanes = profile.lanes.flatMap((lane, l) => (wanted.has(lane.name) ? [l] : []));
  return range === null || lanes.length === 0 ? null : { range, lanes };
}
