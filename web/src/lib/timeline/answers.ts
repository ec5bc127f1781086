// What the server tells of a timeline (lib/wire.ts), as the views know it (lib/timeline/source.ts).
import { stripAnsi } from "../ansi";
import type { Area, AreaStats, DurationSums } from "./stats";
import type { AllocationItem, EventDetail, EventItem } from "./events";
import type { LaneInfo } from "./timeline";
import { spanOf } from "../time";
import type { WireAllocation, WireDurations, WireEvent, WireEventDetail, WireLaneInfo, WireRange } from "./wire";

/** All tracks, of which each may stand under another; order: as they are listed. */
export function readLanes(wire: readonly WireLaneInfo[], order: readonly number[] = []): LaneInfo[] {
  const places = new Map(order.map((lane, place) => [lane, place]));
  return wire.map((track, lane) => readLaneInfo(wire, track, places.get(lane) ?? lane));
}

/** From the root down, without itself. */
function tracksAbove(tracks: readonly WireLaneInfo[], of: WireLaneInfo): number[] {
  const above: number[] = [];
  for (let at = of.parent ?? -1; tracks[at] !== undefined; at = tracks[at]!.parent ?? -1) above.unshift(at);
  return above;
}

function readLaneInfo(tracks: readonly WireLaneInfo[], wire: WireLaneInfo, place: number): LaneInfo {
  const memory = wire.memory ?? null;
  const above = tracksAbove(tracks, wire);
  return {
    name: stripAnsi(wire.name),
    path: wire.path ?? wire.name,
    title: [...above.map((track) => tracks[track]!.name), wire.name].map(stripAnsi).join(" › "),
    kind: wire.kind ?? "",
    above,
    place,
    rowCount: wire.rows ?? 0,
    eventCount: wire.events ?? 0,
    relaned: wire.relaned ?? 0,
    busy_ns: wire.busy_ns ?? 0,
    hz: wire.hz ?? null,
    counters: wire.counters ?? [],
    memory: memory === null ? null : { ...memory, isAddressed: memory.addressed },
  };
}

export function readEvent(wire: WireEvent): EventItem {
  const { lane, index, row, name, label, start_ns, dur_ns, dur_ps, kind, error } = wire;
  return { lane, event: index, row, name, label, start: start_ns, dur: dur_ns, dur_ps, kind, isError: error };
}

export function readDetail(wire: WireEventDetail): EventDetail {
  const read = (event: WireEvent | null) => (event === null ? null : readEvent(event));
  return {
    item: readEvent(wire),
    self_ns: wire.self_ns,
    category: wire.category,
    context: wire.context,
    pass: wire.pass,
    arguments: wire.arguments,
    previous: read(wire.previous),
    next: read(wire.next),
    parent: read(wire.parent),
    incoming: wire.incoming.map(readEvent),
    outgoing: wire.outgoing.map(readEvent),
    allocations: wire.allocations.map(({ lane, index }) => ({ lane, allocation: index })),
  };
}

export function readAllocation(lane: number, wire: WireAllocation): AllocationItem {
  const { index, key, size_bytes, share, count, dtype, category, birth_ns, death_ns, offset, uses } = wire;
  const death = death_ns < 0 ? Infinity : death_ns;
  return {
    lane,
    allocation: index,
    key,
    size_bytes,
    share,
    count,
    dtype,
    category,
    birth: birth_ns,
    death,
    offset,
    uses,
  };
}

export function readDurations(wire: WireDurations, share: number): DurationSums {
  const { count, sum_ns, median_ns, p90_ns, least_ns, max_ns, worst, bins } = wire;
  return {
    count,
    total_ns: sum_ns,
    share,
    median_ns,
    p90_ns,
    least_ns,
    max_ns,
    worst: { lane: worst.lane, event: worst.index },
    bins: bins.count.map((n, i) => ({ from_ns: bins.edges_ns[i]!, to_ns: bins.edges_ns[i + 1]!, count: n })),
  };
}

export function readStats(wire: WireRange, area: Area): AreaStats {
  const whole_ns = spanOf(area.range) * Math.max(area.lanes.length, 1);
  const names = wire.names.map(
    ({ name, label, count, inside_ns, self_ns, mean_ns, median_ns, p90_ns, max_ns, worst }) => ({
      name,
      label,
      count,
      total_ns: inside_ns,
      self_ns,
      share: whole_ns > 0 ? inside_ns / whole_ns : 0,
      mean_ns,
      median_ns,
      p90_ns,
      max_ns,
      worst: { lane: worst.lane, event: worst.index },
    }),
  );
  const { names: more, count, inside_ns } = wire.others;
  return {
    names,
    others: more > 0 ? { names: more, count, total_ns: inside_ns } : null,
    count: wire.events,
    busy: whole_ns > 0 ? wire.busy_ns / whole_ns : 0,
    isExact: wire.exact,
  };
}
