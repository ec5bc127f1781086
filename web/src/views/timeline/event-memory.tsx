// What an event has to do with the memory of a snapshot of the same run: "which memory did this operator ask for, and
// what was held while this kernel ran?"
import type { WireEventMemory } from "../../lib/allocator";
import { sayLine, sayOwner } from "../../lib/allocator";
import { formatBytes } from "../../lib/bytes";
import { linkToAllocator } from "../../lib/links";
import { formatCount, formatPlural } from "../../lib/text";
import type { EventItem } from "../../lib/timeline/events";
import type { TimelineSource } from "../../lib/timeline/source";
import { nameOfMemory } from "../../lib/timeline/timeline";
import { useApp } from "../parts/app-context";
import { Bytes } from "../parts/figure";
import { useAnswer } from "./use-answer";

/** How many allocations that it asked for are listed. */
const kRows = 6;

export function EventMemory({ source, item }: { source: TimelineSource; item: EventItem }) {
  const { session } = useApp();
  const captures = session.info.value?.captures ?? [];
  const name = source.captureOf(item.lane) ?? session.capture.value?.name;
  const sameRun = captures.find((each) => each.name === name)?.same_run ?? [];
  const snapshot = captures.find(({ id, allocators }) => allocators > 0 && sameRun.includes(id));
  const answer = useAnswer(
    () => (snapshot === undefined ? null : (asked) => asked.memoryOf(item, snapshot.id)),
    [item.lane, item.event, snapshot?.id],
  );
  const found = answer.value;
  if (snapshot === undefined || found === null) return null;
  const memories = found.memories.filter(({ count }) => count > 0);
  return (
    <section class="event-memory">
      <h2 class="section-title">{found.kind === "asked" ? "Memory it asked for" : "Allocated while it ran"}</h2>
      {memories.length === 0 && <p class="dim">None that {snapshot.name} tells of.</p>}
      {memories.map((memory) => (
        <Memory key={memory.path} kind={found.kind} memory={memory} snapshot={snapshot.name} />
      ))}
    </section>
  );
}

interface MemoryProps {
  kind: WireEventMemory["kind"];
  memory: WireEventMemory["memories"][number];
  snapshot: string;
}

function Memory({ kind, memory, snapshot }: MemoryProps) {
  const { place } = useApp();
  const { path, count, block_bytes, owner_count, owners, rows, entry, is_sure } = memory;
  const go = (to: Parameters<typeof linkToAllocator>[1]) => () =>
    place.follow({ ...linkToAllocator(path, to), capture: snapshot });
  const isAsked = kind === "asked";
  const shown = isAsked ? rows.slice(0, kRows) : [];
  const left = isAsked ? count - shown.length : owner_count - owners.length;
  return (
    <>
      <p>
        <Bytes bytes={block_bytes} /> in {formatPlural(count, "allocation")}{" "}
        <button class="link" onClick={go({ at: entry })}>
          of {nameOfMemory(path)} →
        </button>
        {isAsked && !is_sure && (
          <span class="dim"> by time alone, which is not sure: the trace does not report memory</span>
        )}
      </p>
      <ul>
        {shown.map((life) => (
          <li key={life.life}>
            <button class="link" onClick={go({ at: life.born_entry, life: life.life })}>
              {formatBytes(life.block_bytes)}
            </button>{" "}
            <span class="dim" title={life.line}>
              {sayLine(life.line)}
            </span>
          </li>
        ))}
        {!isAsked &&
          owners.map(({ id, owner, count: its, block_bytes: bytes }) => (
            <li key={id}>
              <button class="link" onClick={go({ at: entry, owner: id })}>
                {formatBytes(bytes)}
              </button>{" "}
              <span class="dim" title={String(owner)}>
                {sayOwner(owner, "line")}, {formatCount(its)}
              </span>
            </li>
          ))}
        {left > 0 && <li class="dim">and {formatPlural(left, isAsked ? "allocation" : "line")} more</li>}
      </ul>
    </>
  );
}
