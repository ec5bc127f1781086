// The timelines of several captures as one: the lanes of each under a track of its name, its times shifted.
import type { LaneInfo, Timeline } from "../timeline";
import type { PlacedPart, PlacedParts } from "./parts";

/** Names of a timeline, which come little by little. */
interface GrowingNames {
  strings: string[];
  plain: string[];
}

/** The names are empty: takeNames fills them. */
export function joinTimelines({ list, main }: PlacedParts): Timeline & GrowingNames {
  return {
    dur_ns: Math.max(...list.map(({ source, shift_ns }) => source.timeline.dur_ns + shift_ns)),
    strings: [],
    plain: [],
    nameClasses: joinClasses(list),
    lanes: layTracks(list),
    markers: list
      .flatMap(({ source, shift_ns }) =>
        source.timeline.markers.map((marker) => ({ ...marker, at: marker.at + shift_ns })),
      )
      .sort((a, b) => a.at - b.at),
    // Only those of the capture on screen: two captures' steps would hide each other.
    runs: main.source.timeline.runs.map((run) => ({
      ...run,
      from: run.from + main.shift_ns,
      to: run.to + main.shift_ns,
    })),
    tracedRuns: (main.source.timeline.tracedRuns ?? []).map(({ event, ...run }) => ({
      ...run,
      event: event && {
        ...event,
        lane: `${pathOfPart(main.name)}/${event.lane}`,
        start_ns: event.start_ns + main.shift_ns,
      },
    })),
    eventCount: list.reduce((sum, { source }) => sum + source.timeline.eventCount, 0),
  };
}

export function joinClasses(parts: readonly PlacedPart[]): string[] {
  const classes: string[] = [];
  for (const part of parts) {
    part.source.timeline.nameClasses.forEach((letter, i) => (classes[part.nameIn(i)] = letter));
  }
  return classes;
}

/** Takes over the names that the captures know by now. */
export function takeNames({ list }: PlacedParts, { strings, plain }: GrowingNames): void {
  for (const part of list) {
    const { strings: texts, plain: plains } = part.source.timeline;
    texts.forEach((text, i) => {
      strings[part.nameIn(i)] = text;
      plain[part.nameIn(i)] = plains[i] ?? "";
    });
  }
}

/**
 * All tracks, each capture's under one of its own; those follow all others, so that numbers only move by a part's
 * first.
 */
function layTracks(parts: readonly PlacedPart[]): LaneInfo[] {
  const count = parts.reduce((sum, { source }) => sum + source.timeline.lanes.length, 0);
  const places = placesOf(parts);
  const tracks = parts.flatMap((part) => {
    const top = trackOf(part, places[part.at]!);
    return part.source.timeline.lanes.map((lane) => ({
      ...lane,
      path: `${top.path}/${lane.path}`,
      title: `${top.title} › ${lane.title}`,
      above: [count + part.at, ...lane.above.map((track) => part.laneIn(track))],
      place: top.place + 1 + lane.place,
    }));
  });
  return [...tracks, ...parts.map((part) => trackOf(part, places[part.at]!))];
}

/** Where each part's lanes begin on the screen: a snapshot of memory lies above what the devices did with it. */
function placesOf(parts: readonly PlacedPart[]): number[] {
  const isMemory = ({ source }: PlacedPart) => source.timeline.lanes.some(({ memory }) => memory?.hasLog === true);
  const places: number[] = [];
  let next = 0;
  for (const part of [...parts.filter(isMemory), ...parts.filter((each) => !isMemory(each))]) {
    places[part.at] = next;
    next += part.source.timeline.lanes.length + 1;
  }
  return places;
}

/** The path of the track of a capture itself. */
export const pathOfPart = (name: string): string => name.replace(/[\\/]/g, "\\$&");

/** The track of a capture itself. */
function trackOf({ name }: PlacedPart, place: number): LaneInfo {
  const tree = { name, path: pathOfPart(name), title: name, kind: "capture", above: [] };
  const none = {
    rowCount: 0,
    eventCount: 0,
    relaned: 0,
    work: null,
    launches: 0,
    busy_ns: 0,
    hz: null,
    counters: [],
    arguments: [],
    sampleCount: 0,
    memory: null,
  };
  return { ...tree, ...none, place };
}
