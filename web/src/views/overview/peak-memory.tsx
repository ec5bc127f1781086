// The most memory that was held at once, and what held it.
import { computed } from "@preact/signals";
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { pathOfCapture } from "../../lib/api";
import { stripAnsi } from "../../lib/ansi";
import { formatBytes } from "../../lib/bytes";
import type { Keys } from "../../lib/place";
import { formatPlural, formatShare } from "../../lib/text";
import type { WireAllocationSet, WireLaneInfo, WireLanes, WireMemorySummary } from "../../lib/timeline/wire";
import { followWish } from "../../state/fetched";
import { useApp } from "../parts/app-context";
import { Bytes, Duration } from "../parts/figure";
import { linkToMemory } from "./ways";

const kHolders = 3;

export function PeakMemory({ lanes: { lanes = [], key } }: { lanes: WireLanes }) {
  const owners = lanes.flatMap((lane, at) => ((lane.memory?.peak_bytes ?? 0) > 0 ? [{ lane, at }] : []));
  if (owners.length === 0) return null;
  return (
    <section>
      <h3>Memory at the peak</h3>
      <ul class="overview-memory">
        {owners.map(({ lane, at }) => (
          <Owner key={at} lane={lane} path={`/api/v1/memory/${key}/${at}`} />
        ))}
      </ul>
    </section>
  );
}

/** path: of what the server tells of its memory. */
function Owner({ lane, path }: { lane: WireLaneInfo; path: string }) {
  const { place } = useApp();
  const memory = lane.memory!;
  const held = useHolders(path, lane.path ?? lane.name);
  return (
    <li>
      <p>
        <button class="link" onClick={() => place.follow(linkToMemory)}>
          {lane.path ?? lane.name}
        </button>{" "}
        <Bytes bytes={memory.peak_bytes} /> <span class="dim">at</span> <Duration ns={memory.peak_ns} />{" "}
        <span class="dim">· {formatPlural(memory.allocations, "allocation")} in all</span>
      </p>
      {held.length > 0 && <HolderBar holders={held} />}
      {held.length > 0 && (
        <p class="dim">
          held by{" "}
          {held.map(({ text, keys }, at) => (
            <Fragment key={at}>
              {at > 0 && ", "}
              <button class="link" onClick={() => place.follow({ view: "timeline", keys })}>
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
  /** Of the peak. */
  share: number;
  /** The keys that lead to it on the timeline. */
  keys: Keys;
}

/** Its categories where there are several, else its largest allocations. lane: its path, as links name it. */
function useHolders(path: string, lane: string): Holder[] {
  const { api, session } = useApp();
  const [summary, set] = useMemo(() => {
    const follow = <T,>(of: string) =>
      followWish(
        computed(() => {
          const capture = session.capture.value;
          return capture === null ? null : `${capture.revision} ${pathOfCapture(of, capture.id)}`;
        }),
        (wish, abort) => api.getJson<T>(wish, abort),
      );
    return [
      follow<WireMemorySummary>(`${path}/summary`),
      follow<WireAllocationSet>(`${path}/set?at=peak&limit=${kHolders}`),
    ] as const;
  }, [api, session, path]);
  const categories = summary.value.value?.data.categories ?? [];
  const largest = set.value.value?.data;
  const peak_bytes = largest?.bytes ?? 0;
  const shareOf = (bytes: number) => (peak_bytes === 0 ? 0 : Math.min(bytes / peak_bytes, 1));
  const say = (name: string, bytes: number) => `${name} ${formatBytes(bytes)} (${formatShare(shareOf(bytes))} of it)`;
  if (categories.length > 1) {
    const held = categories.filter((category) => category.peak_bytes > 0);
    held.sort((a, b) => b.peak_bytes - a.peak_bytes);
    return held.slice(0, kHolders).map(({ name, peak_bytes: bytes }) => ({
      text: say(name === "" ? "without a category" : name, bytes),
      share: shareOf(bytes),
      keys: { details: "memory", memory: "categories" },
    }));
  }
  return (largest?.items ?? []).map(({ index, key, born_in, size_bytes }) => ({
    text: say(born_in === null ? `allocation ${key}` : `made in ${stripAnsi(born_in.label)}`, size_bytes),
    share: shareOf(size_bytes),
    keys: { allocation: `${lane}|${index}` },
  }));
}
