// The most memory that was held at once, and what held it.
import { computed } from "@preact/signals";
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { stripAnsi } from "../../lib/ansi";
import { formatBytes } from "../../lib/bytes";
import { linkToMemory } from "../../lib/links";
import type { WireHolders } from "../../lib/memory";
import type { Link } from "../../lib/place";
import { formatPlural, formatShare } from "../../lib/text";
import { nameOfMemory } from "../../lib/timeline/timeline";
import type { WireLaneInfo, WireLanes } from "../../lib/timeline/wire";
import { followWish } from "../../state/fetched";
import { useApp } from "../parts/app-context";
import { AllocatorMemory } from "./allocator-memory";
import { Bytes, Duration } from "../parts/figure";

const kHolders = 3;

export function PeakMemory({ lanes: { lanes = [], key } }: { lanes: WireLanes }) {
  const owners = lanes.flatMap((lane, at) => ((lane.memory?.peak_bytes ?? 0) > 0 ? [{ lane, at }] : []));
  if (owners.length === 0) return null;
  return (
    <section>
      <h3>Memory at the peak</h3>
      <ul class="overview-memory">
        {owners.map(({ lane, at }) =>
          lane.memory?.has_log === true ? (
            <AllocatorMemory key={at} lane={lane} path={`/api/v1/allocator/${key}/${at}`} />
          ) : (
            <Owner key={at} lane={lane} path={`/api/v1/memory/${key}/${at}`} />
          ),
        )}
      </ul>
    </section>
  );
}

/** path: of what the server tells of its memory. */
function Owner({ lane, path }: { lane: WireLaneInfo; path: string }) {
  const { place } = useApp();
  const memory = lane.memory!;
  const { held, isUntold } = useHolders(path, lane.path ?? lane.name);
  return (
    <li>
      <p>
        <button class="link" onClick={() => place.follow(linkToMemory(lane.path ?? lane.name))}>
          {nameOfMemory(lane.path ?? lane.name)}
        </button>{" "}
        <Bytes bytes={memory.peak_bytes + (memory.unlisted_bytes ?? 0)} /> <span class="dim">at</span>{" "}
        <Duration ns={memory.peak_ns} />{" "}
        <span class="dim">· {formatPlural(memory.allocations, "allocation")} in all</span>
        {(memory.unlisted_bytes ?? 0) > 0 && (
          <span class="dim"> · {formatBytes(memory.unlisted_bytes ?? 0)} of it from before the capture began</span>
        )}
      </p>
      {isUntold && <p class="dim">The capture does not tell what made the allocations that held it.</p>}
      {held.length > 0 && <HolderBar holders={held} />}
      {held.length > 0 && (
        <p class="dim">
          held by{" "}
          {held.map(({ text, link }, at) => (
            <Fragment key={at}>
              {at > 0 && ", "}
              <button class="link" onClick={() => place.follow(link)}>
                {text}
              </button>
            </Fragment>
          ))}
        </p>
      )}
    </li>
  );
}

/** The peak, divided among those that held it; the rest is everything else. */
function HolderBar({ holders }: { holders: readonly Holder[] }) {
  const rest = 1 - holders.reduce((sum, { share }) => sum + share, 0);
  return (
    <div class="time-bar holder-bar" aria-hidden="true">
      {holders.map(({ text, share }, at) => (
        <span key={at} class={`part-${kBarParts[at % kBarParts.length]}`} style={{ flexGrow: share }} title={text} />
      ))}
      {rest > 0 && <span class="part-other" style={{ flexGrow: rest }} title="all else" />}
    </div>
  );
}
const kBarParts = ["compute", "memory", "communication"];

interface Holder {
  text: string;
  /** The share of the peak. */
  share: number;
  link: Link;
}

/** The operators, or kernels, that most of it was made in; none where the capture tells of no maker. lane: its path, as links name it. */
function useHolders(path: string, lane: string): { held: Holder[]; isUntold: boolean } {
  const { api, session } = useApp();
  const holders = useMemo(
    () =>
      followWish(
        computed(() => {
          const capture = session.capture.value;
          return capture === null ? null : `${capture.revision} ${path}/holders?limit=${kHolders}`;
        }),
        (wish, abort) => api.getJson<WireHolders>(wish, abort),
      ),
    [api, session, path],
  );
  const rows = holders.value.value?.data.rows ?? [];
  const isUntold = rows.length > 0 && rows.every(({ name }) => name === null);
  const held = rows.map(({ id, name, bytes, share_pct }) => ({
    text: `${stripAnsi(name ?? "others")} ${formatBytes(bytes)} (${formatShare(share_pct / 100)} of what is listed)`,
    share: share_pct / 100,
    link: linkToMemory(lane, { holder: id }),
  }));
  return { held: isUntold ? [] : held, isUntold };
}
