// What an allocator told of the selected allocation: the line that asked for it, the operator of a trace of the same
// run, and the way to all else that is known of it.
import { sayLine, type WireLifeDetail } from "../../lib/allocator";
import { keyOfEventOf, linkBeside, linkToAllocator, linkToEvent } from "../../lib/links";
import type { AllocationItem } from "../../lib/timeline/events";
import { pathOfPart } from "../../lib/timeline/side-by-side/joined-timeline";
import type { TimelineSource } from "../../lib/timeline/source";
import { useApp } from "../parts/app-context";
import { Facts } from "../parts/facts";
import { Bytes } from "../parts/figure";
import { useAnswer } from "./use-answer";

/** The operator of the trace, and how sure that is. */
function AskedBy({ link, onGo }: { link: NonNullable<WireLifeDetail["link"]>; onGo: () => void }) {
  if (link.event === null) return <span class="dim">not known: {link.trace} tells of no such operator then</span>;
  return (
    <>
      <button class="link" onClick={onGo}>
        {link.event.name} →
      </button>
      {link.status === "by time" && <span class="dim"> by time alone, not sure</span>}
    </>
  );
}

export function LoggedAllocation({ source, selected }: { source: TimelineSource; selected: AllocationItem }) {
  const { session, place } = useApp();
  const { lane, allocation } = selected;
  const captures = session.info.value?.captures ?? [];
  const name = source.captureOf(lane) ?? session.capture.value?.name ?? "";
  const trace = captures.find((each) => each.name === name)?.same_run[0] ?? null;
  const detail = useAnswer(() => (asked) => asked.lifeOf(lane, allocation, trace), [lane, allocation, trace]).value;
  if (detail === null) return null;
  const { life, link } = detail;
  const path = source.timeline.lanes[lane]!.path;
  const goToEvent = () => {
    const event = link!.event!;
    const to = linkToEvent(event);
    if (source.captureOf(lane) === null) return place.follow({ ...to, capture: link!.trace });
    // Both lie on the time axis of the one on screen.
    if (session.capture.value?.name === name) return place.follow(linkBeside(life.born_ns!, link!.trace, event));
    place.follow({ ...to, keys: { ...to.keys, event: keyOfEventOf(link!.trace, event) } });
  };
  const own = source.captureOf(lane) === null ? path : path.slice(pathOfPart(name).length + 1);
  return (
    <section>
      <Facts
        facts={[
          ["Line", <span title={life.line}>{sayLine(life.line)}</span>],
          ["Requested", <Bytes bytes={life.requested_bytes} />],
          ...(life.operator === null ? [] : [["Operator", life.operator] as const]),
          ...(link === undefined ? [] : [["Asked for by", <AskedBy link={link} onGo={goToEvent} />] as const]),
        ]}
      />
      <p>
        <button
          class="link"
          onClick={() =>
            place.follow({ ...linkToAllocator(own, { at: life.born_entry, life: allocation }), capture: name })
          }
        >
          Its stack, and what else was held then →
        </button>
      </p>
    </section>
  );
}
