// Finding events: by name and number (as they stand in the URL), by neighbour.
import type { EventRef, Profile } from "./lanes";
import { findAbove } from "../time";
import type { Timeline } from "./source";

export function isSameEvent(a: EventRef | null, b: EventRef | null): boolean {
  return a !== null && b !== null && a.lane === b.lane && a.event === b.event;
}

/** The next (or last) event of the same row that starts after (before) this one; else null. */
export function findNeighbour(profile: Profile, ref: EventRef, by: 1 | -1): EventRef | null {
  const lane = profile.lanes[ref.lane]!;
  const row = lane.rows[lane.row[ref.event]!]!;
  let place = findAbove(row.start, lane.start[ref.event]!) - 1;
  while (row.event[place] !== ref.event) place--; // Events of no length may share a start.
  const event = row.event[place + by];
  return event === undefined ? null : { lane: ref.lane, event };
}

/**
 * An event by its lane, its name and its number among those of that name in the lane, so that a link leads to it after
 * the capture was made anew, at other times.
 */
export function formatEventKey(profile: Profile, ref: EventRef): string {
  const lane = profile.lanes[ref.lane]!;
  const name = profile.plain[lane.label[ref.event]!]!;
  let number = 0;
  for (let e = 0; e < ref.event; e++) if (profile.plain[lane.label[e]!] === name) number++;
  return `${lane.name}|${number}|${name}`;
}

export function parseEventKey(profile: Profile, key: string | undefined): EventRef | null {
  const match = /^(.*?)\|(\d{1,9})\|([\s\S]*)$/.exec(key ?? "");
  if (match === null) return null;
  const laneIndex = profile.lanes.findIndex((lane) => lane.name === match[1] && lane.start.length > 0);
  const lane = profile.lanes[laneIndex];
  if (lane === undefined) return null;
  let left = Number(match[2]);
  const event = lane.label.findIndex((label) => profile.plain[label] === match[3] && left-- === 0);
  return event < 0 ? null : { lane: laneIndex, event };
}

export interface AllocationRef {
  lane: number;
  allocation: number;
}

/** An allocation by its lane and its place in order of birth. */
export function formatAllocationKey(timeline: Timeline, ref: AllocationRef): string {
  return `${timeline.lanes[ref.lane]!.name}|${ref.allocation}`;
}

export function parseAllocationKey(timeline: Timeline, key: string | undefined): AllocationRef | null {
  const match = /^(.*)\|(\d{1,9})$/.exec(key ?? "");
  if (match === null) return null;
  const lane = timeline.lanes.findIndex((l) => l.name === match[1] && l.memory !== null);
  return lane < 0 ? null : { lane, allocation: Number(match[2]) };
}
