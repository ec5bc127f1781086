// For an event that is part of a graph's replay: what names it, and the same node's runs in other replays.
import { linkToEvent, type LinkedEvent } from "../../lib/links";
import type { WireNaming } from "../../lib/replays";
import type { EventItem } from "../../lib/timeline/events";
import { useApp, useCommand } from "../parts/app-context";
import { KernelNaming, SameNode } from "../parts/kernel-naming";
import { useTimeline } from "./context";
import { useAnswer } from "./use-answer";

/** The categories of a device's work. */
const kWork = new Set(["kernel", "gpu_memcpy", "gpu_memset"]);

export function ReplaySection({ item, category }: { item: EventItem; category: string }) {
  const isWork = kWork.has(category);
  const naming = useAnswer(
    () => (isWork ? (source) => source.naming(item) : null),
    [item.lane, item.event, isWork],
  ).value;
  return naming === null ? null : <Replayed item={item} naming={naming} />;
}

function Replayed({ item, naming }: { item: EventItem; naming: WireNaming }) {
  const { place } = useApp();
  const timeline = useTimeline();
  const lane = timeline.source.value?.timeline.lanes[item.lane];
  const go = (event: LinkedEvent | null) => {
    if (event === null) return false;
    place.follow(linkToEvent(event));
    return true;
  };
  useCommand("timeline.nodeBefore", () => go(naming.previous));
  useCommand("timeline.nodeAfter", () => go(naming.next));
  useCommand("timeline.nodeSlowest", () => go(naming.slowest));
  return (
    <section>
      <h2 class="section-title">In a graph's replay</h2>
      <KernelNaming naming={naming} />
      <SameNode
        naming={naming}
        now={lane === undefined ? null : { lane: lane.path, index: item.event }}
        keys={{ before: "timeline.nodeBefore", after: "timeline.nodeAfter", slowest: "timeline.nodeSlowest" }}
      />
    </section>
  );
}
