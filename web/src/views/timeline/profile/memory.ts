// The memory of a profile's lanes: pictures of it, and answers about single allocations.
import type { WireLifeDetail } from "../../../lib/allocator";
import { readAllocation, readEvent } from "../../../lib/timeline/answers";
import type { MemoryOrder, MemoryPicture } from "../../../lib/timeline/memory-picture";
import { readMemoryPicture } from "../../../lib/timeline/memory-picture";
import type { AllocationUses, TimelineSource, View } from "../../../lib/timeline/source";
import type { WholeTiles } from "../../../lib/timeline/tile-codec";
import type { TimeRange } from "../../../lib/time";
import type { WireAllocationDetail, WireMemorySummary } from "../../../lib/timeline/wire";
import type { ProfileConnection } from "./connection";
import { createMemoryFetcher } from "../../../state/memory-fetcher";

/** The part of a source that is about memory. */
type MemoryAnswers = Pick<TimelineSource, "memoryPicture" | "changesOf" | "allocation" | "lifeOf">;

export interface ProfileMemory {
  answers: MemoryAnswers;
  look(view: View): void;
  /** Takes the pictures of a small profile, which come with its tiles. */
  keepExact(memories: WholeTiles["memories"]): void;
}

export function createMemory(connection: ProfileConnection, onArrival: () => void): ProfileMemory {
  const { api, wire, pathOf, onProblem } = connection;
  const orders = createOrders(connection, onArrival);
  const fetcher = createMemoryFetcher({
    api,
    pathOf: (lane, query) => pathOf(`memory/${wire.key}/${lane}?${query}`),
    spanOf: orders.spanOf,
    endOf: orders.endOf,
    onPicture: onArrival,
    onProblem,
  });
  return {
    answers: {
      memoryPicture: (lane, range, order): MemoryPicture | null => fetcher.pictureOf(lane, range, order),
      changesOf: orders.spanOf,
      ...answerAboutMemory(connection),
    },
    look(view) {
      fetcher.look(view);
      if (view.order === "events") for (const { lane } of view.memories) void orders.fetch(lane);
    },
    keepExact(memories) {
      for (const { lane, byTime, byOrder } of memories) {
        const inOrder = readMemoryPicture(byOrder);
        fetcher.keepExact(lane, readMemoryPicture(byTime), inOrder);
        orders.set(lane, inOrder.to);
      }
    },
  };
}

/** How many allocations and frees each lane has, which is the length of its memory drawn in their order. */
function createOrders({ wire, get, onProblem }: ProfileConnection, onArrival: () => void) {
  const orders = new Map<number, number>();
  const endOf = (lane: number, order: MemoryOrder) =>
    order === "time" ? wire.dur_ns : Math.max(orders.get(lane) ?? 0, 1);
  return {
    endOf,
    set: (lane: number, count: number) => void orders.set(lane, count),
    /** In order, the view is the same share of all changes as it is of all time. */
    spanOf(lane: number, range: TimeRange, order: MemoryOrder): TimeRange {
      if (order === "time") return range;
      const scale = endOf(lane, order) / Math.max(wire.dur_ns, 1);
      return { from: range.from * scale, to: range.to * scale };
    },
    async fetch(lane: number): Promise<void> {
      if (orders.has(lane)) return;
      orders.set(lane, 2 * (wire.lanes?.[lane]?.memory?.allocations ?? 0)); // until it is known
      const answer = await get<WireMemorySummary, number>(
        `memory/${wire.key}/${lane}/summary`,
        (summary) => summary.orders,
      );
      if (!answer.ok) return onProblem(answer.error);
      orders.set(lane, answer.value);
      onArrival();
    },
  };
}

function answerAboutMemory({ wire, get }: ProfileConnection): Pick<MemoryAnswers, "allocation" | "lifeOf"> {
  return {
    lifeOf: (lane, allocation, trace) =>
      get<WireLifeDetail, WireLifeDetail>(
        `allocator/${wire.key}/${lane}/life?life=${allocation}${trace === null ? "" : `&trace=${trace}`}`,
        (detail) => detail,
      ),
    allocation: (lane, index) =>
      get<WireAllocationDetail, AllocationUses>(`allocation/${lane}/${index}`, (answer) => ({
        item: readAllocation(lane, answer),
        madeBy: answer.made_by === null ? null : readEvent(answer.made_by),
        kernels: answer.kernels.map(readEvent),
      })),
  };
}
