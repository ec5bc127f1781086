// The server's answers about a timeline (lib/wire.ts), read into the form that views use (lib/timeline/source.ts).
import { stripAnsi } from "../ansi";
import type { AreaStats, DurationSums } from "./stats";
import type { AllocationItem, EventDetail, EventItem } from "./events";
import type { DrawnGap, IdleGap } from "./idle";
import type { Run } from "./runs";
import type { StackTable } from "./stacks";
import type { LaneInfo } from "./timeline";
import type {
  WireAllocation,
  WireDurations,
  WireEvent,
  WireEventDetail,
  WireGap,
  WireGaps,
  WireLaneInfo,
  WireLanes,
  WireRange,
  WireStacks,
} from "./wire";

/** All tracks, each of which may stand under another; order: as they are listed. */
export function readLanes({ lanes = [], order = [], work, launches, trace }: Partial<WireLanes>): LaneInfo[] {
  const places = new Map(order.map((lane, place) => [lane, place]));
  const works = new Map(
    (work?.lane ?? []).map((lane, i) => [
      lane,
      {
        compute_ns: work!.compute_ns[i]!,
        communication_ns: work!.communication_ns[i]!,
        memory_ns: work!.memory_ns[i]!,
        busy_ns: work!.busy_ns[i]!,
      },
    ]),
  );
  const counts = new Map((launches?.lane ?? []).map((lane, i) => [lane, launches!.count[i]!]));
  return lanes.map((track, lane) => ({
    ...readLaneInfo(lanes, track, places.get(lane) ?? lane),
    work: works.get(lane) ?? null,
    launches: counts.get(lane) ?? 0,
    ...(trace === undefined ? {} : { isOfTrace: true }),
  }));
}

/** From the root down, without itself. */
function tracksAbove(tracks: readonly WireLaneInfo[], of: WireLaneInfo): number[] {
  const above: number[] = [];
  for (let at = of.parent ?? -1; tracks[at] !== undefined; at = tracks[at]!.parent ?? -1) above.unshift(at);
  return above;
}

function readLaneInfo(
  tracks: readonly WireLaneInfo[],
  wire: WireLaneInfo,
  place: number,
): Omit<LaneInfo, "work" | "launches"> {
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
    arguments: wire.arguments ?? [],
    sampleCount: wire.samples ?? 0,
    memory: memory === null ? null : { ...memory, isAddressed: memory.addressed, hasLog: memory.has_log === true },
  };
}

export function readRuns(wire: WireLanes["runs"] = []): Run[] {
  return wire.map(({ from_ns, to_ns, ...run }) => ({ ...run, from: from_ns, to: to_ns }));
}

export function readEvent(wire: WireEvent): EventItem {
  const { lane, index, row, name, label, start_ns, dur_ns, dur_ps, kind, error } = wire;
  const item = { lane, event: index, row, name, label, start: start_ns, dur: dur_ns, dur_ps, kind, isError: error };
  return wire.arguments === undefined ? item : { ...item, arguments: wire.arguments };
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
    launchedIn: wire.launched_in.map(({ event, category, role, forward }) => ({
      item: readEvent(event),
      category,
      role,
      isForward: forward,
    })),
    allocations: wire.allocations.map(({ lane, index }) => ({ lane, allocation: index })),
  };
}

export function readGap(wire: WireGap): IdleGap {
  const read = (event: WireEvent | null) => (event === null ? null : readEvent(event));
  return {
    lane: wire.ended_by.lane,
    device: wire.device,
    from: wire.from_ns,
    to: wire.to_ns,
    cause: wire.cause,
    endedBy: readEvent(wire.ended_by),
    call: read(wire.call),
    host: read(wire.host),
  };
}

export function readGaps({ lane, from_ns, to_ns, cause }: WireGaps): DrawnGap[] {
  return lane.map((l, i) => ({ lane: l, from: from_ns[i]!, to: to_ns[i]!, cause: cause[i]! }));
}

export function readAllocation(lane: number, wire: WireAllocation): AllocationItem {
  const { index, key, size_bytes, share, count, dtype, category, birth_ns, death_ns, offset, uses, made_in } = wire;
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
    madeIn: made_in === null ? null : readEvent(made_in),
  };
}

export function readDurations({ worst, bins, ...figures }: WireDurations): DurationSums {
  return {
    ...figures,
    worst: { lane: worst.lane, event: worst.index },
    bins: bins.count.map((n, i) => ({ from_ns: bins.edges_ns[i]!, to_ns: bins.edges_ns[i + 1]!, count: n })),
  };
}

export function readStacks({ samples, weight, total, stacks }: WireStacks): StackTable {
  return { samples, weight, stackCount: total, stacks };
}

export function readStats({ names, others, events, exact, lanes, busy_ns, wall_ns }: WireRange): AreaStats {
  return {
    names: names.map(({ worst, lane = null, ...name }) => ({
      ...name,
      lane,
      worst: { lane: worst.lane, event: worst.index },
    })),
    others: others.names > 0 ? others : null,
    count: events,
    lanes,
    busy_ns,
    wall_ns,
    isExact: exact,
  };
}
