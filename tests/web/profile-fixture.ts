// Profiles made by hand for the timeline's tests, in the shape that the server sends.
import type { WireLane, WireMemory, WireProfile } from "../../web/src/lib/wire";

export interface MadeEvent {
  start: number;
  end: number;
  name: string;
  row?: number;
  context?: number;
  pass?: number;
}

/** A profile of lanes of events; rows are as given. */
export function makeWireProfile(
  lanes: Record<string, MadeEvent[]>,
  memory: Record<string, WireMemory> = {},
): WireProfile {
  const strings = [""];
  const place = (text: string) => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const wireLanes = Object.entries(lanes).map(([name, events]): WireLane => {
    const sorted = [...events].sort((a, b) => a.start - b.start || b.end - a.end);
    return {
      name,
      start: sorted.map((e) => e.start),
      dur: sorted.map((e) => e.end - e.start),
      label: sorted.map((e) => place(e.name)),
      info: sorted.map(() => 0),
      context: sorted.map((e) => e.context ?? -1),
      pass: sorted.map((e) => e.pass ?? -1),
      row: sorted.map((e) => e.row ?? 0),
      rows: Math.max(0, ...sorted.map((e) => (e.row ?? 0) + 1)),
      relaned: 0,
      memory: memory[name] ?? null,
    };
  });
  const ends = Object.values(lanes).flatMap((events) => events.map((e) => e.end));
  return { revision: 1, dur_ns: Math.max(0, ...ends), lanes: wireLanes, markers: [], strings };
}

/** Numbers that look random and are the same in every run (a linear congruential generator). */
export function makeRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Disjoint events of one row in bursts, from far shorter to far longer than a pixel. */
export function makeBursts(count: number, seed: number): MadeEvent[] {
  const random = makeRandom(seed);
  const events: MadeEvent[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    at += random(20) === 0 ? random(50_000) : random(4) * random(40);
    const length = random(50) === 0 ? random(40_000) : random(200);
    events.push({ start: at, end: at + length, name: `kernel_${random(7)}` });
    at += length;
  }
  return events;
}
