// Which events of a profile a search asks for.
import { kSlowest, pinOf } from "./event-search";
import type { EventRef, Profile } from "./lanes";

/** By lane and event: 1 where it is one of them. */
export type Marked = readonly Uint8Array[];

/** Of a name so many make one of its slowest, as on the server (server/timeline/marks.h). */
const kOneInSlowest = 1000;

/** Null where nothing is asked for. */
export function markEvents(profile: Profile, text: string): Marked | null {
  if (pinOf(text) === "") return null;
  return text.trim() === kSlowest ? markSlowest(profile) : markText(profile, text.trim().toLowerCase());
}

function markText(profile: Profile, wanted: string): Marked {
  const isWanted = profile.plain.map((name) => (name.toLowerCase().includes(wanted) ? 1 : 0));
  return profile.lanes.map((lane) => Uint8Array.from(lane.label, (label) => isWanted[label]!));
}

function markSlowest(profile: Profile): Marked {
  const byName = new Map<number, EventRef[]>();
  profile.lanes.forEach((lane, l) => {
    lane.label.forEach((label, event) => {
      const name = profile.nameOf[label]!;
      const events = byName.get(name);
      if (events === undefined) byName.set(name, [{ lane: l, event }]);
      else events.push({ lane: l, event });
    });
  });
  const marked = profile.lanes.map((lane) => new Uint8Array(lane.label.length));
  const durationOf = ({ lane, event }: EventRef) => profile.lanes[lane]!.dur[event]!;
  const startOf = ({ lane, event }: EventRef) => profile.lanes[lane]!.start[event]!;
  for (const events of byName.values()) {
    events.sort((a, b) => durationOf(b) - durationOf(a) || startOf(a) - startOf(b));
    const count = Math.max(Math.floor(events.length / kOneInSlowest), 1);
    for (const { lane, event } of events.slice(0, count)) marked[lane]![event] = 1;
  }
  return marked;
}

/** By start, of equal ones the upper lane's first. */
export function listMarked(profile: Profile, marked: Marked | null): EventRef[] {
  if (marked === null) return [];
  const found = marked.flatMap((events, lane) =>
    [...events.keys()].filter((event) => events[event] === 1).map((event) => ({ lane, event })),
  );
  const startOf = ({ lane, event }: EventRef) => profile.lanes[lane]!.start[event]!;
  return found.sort((a, b) => startOf(a) - startOf(b) || a.lane - b.lane || a.event - b.event);
}
