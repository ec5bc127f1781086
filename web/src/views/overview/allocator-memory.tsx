// A memory whose allocator told of itself: its peak, who held it and when, what is reserved and not used, why memory
// ran out, and what leaks; each leads to where it is shown.
import { computed } from "@preact/signals";
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { sayEntry, sayOom, sayOwner, type WireAllocator, type WireLeak, type WireOwners } from "../../lib/allocator";
import { formatBytes } from "../../lib/bytes";
import { linkToAllocator } from "../../lib/links";
import { formatPlural, formatShare } from "../../lib/text";
import { nameOfMemory } from "../../lib/timeline/timeline";
import type { CaptureInfo } from "../../lib/wire";
import type { WireLaneInfo } from "../../lib/timeline/wire";
import { followWish, type Fetched } from "../../state/fetched";
import { useApp } from "../parts/app-context";
import { Bytes, Duration } from "../parts/figure";

const kOwners = 3;
const kOoms = 3;

export function AllocatorMemory({ lane, path }: { lane: WireLaneInfo; path: string }) {
  const { place } = useApp();
  const name = lane.path ?? lane.name;
  const whole = useAnswerOf<WireAllocator>(path).value?.data;
  const owners = useAnswerOf<WireOwners>(`${path}/owners?limit=${kOwners}`).value?.data;
  const go = (to: Parameters<typeof linkToAllocator>[1]) => () => place.follow(linkToAllocator(name, to));
  if (whole === undefined) return <li class="dim">{nameOfMemory(name)}: the allocator is replayed …</li>;
  const { allocated, reserved } = whole.peaks;
  const unused = whole.end.reserved - whole.end.allocated;
  return (
    <li class="overview-allocator">
      <p>
        <button class="link" onClick={go({})}>
          {nameOfMemory(name)}
        </button>{" "}
        <Bytes bytes={allocated.bytes} /> <span class="dim">allocated at</span>{" "}
        {whole.lacking.includes("times") ? sayEntry(allocated.entry) : <Duration ns={allocated.at_ns ?? 0} />}
        <span class="dim">, up to {formatBytes(reserved.bytes)} reserved</span>
      </p>
      {owners !== undefined && owners.rows.length > 0 && (
        <p class="dim">
          held by{" "}
          {owners.rows.map(({ id, owner, block_bytes }, at) => (
            <Fragment key={id}>
              {at > 0 && ", "}
              <button class="link" onClick={go({ owner: id })}>
                {sayOwner(owner, "line")} {formatBytes(block_bytes)} ({formatShare(block_bytes / owners.bytes)})
              </button>
            </Fragment>
          ))}
        </p>
      )}
      <p class="dim">
        <button class="link" onClick={go({ at: "end", show: "segments" })}>
          At the end
        </button>{" "}
        {formatBytes(unused)} of {formatBytes(whole.end.reserved)} reserved are not used;{" "}
        {formatBytes(whole.shape.releasable_bytes)} could be given back
      </p>
      {whole.ooms.slice(0, kOoms).map((oom) => (
        <p key={oom.entry}>
          <button class="link removed" onClick={go({ at: oom.entry, show: "segments" })}>
            Out of memory
          </button>
          : {sayOom(oom)}
        </p>
      ))}
      {whole.oom_count > kOoms && <p class="dim">and {formatPlural(whole.oom_count - kOoms, "time")} more</p>}
      {whole.steps.length > 0 && <Leaks path={path} steps={whole.steps} onGo={go({ show: "leaks" })} />}
    </li>
  );
}

interface LeaksProps {
  path: string;
  steps: WireAllocator["steps"];
  onGo: () => void;
}

function Leaks({ path, steps, onGo }: LeaksProps) {
  const { name } = steps[0]!;
  const leaks = useAnswerOf<{ steps: number; rows: WireLeak[] }>(`${path}/leaks?name=${encodeURIComponent(name)}`);
  const found = leaks.value?.data;
  if (found === undefined || found.steps === 0) return null;
  const bytes = found.rows.reduce((sum, row) => sum + row.block_bytes, 0);
  if (bytes === 0) return <p class="dim">No step of {name} left memory that the next one did not free.</p>;
  return (
    <p>
      <button class="link removed" onClick={onGo}>
        Leaks
      </button>
      : {formatBytes(bytes / found.steps)} a step of {name}, made by{" "}
      {found.rows.length === 1 ? sayOwner(found.rows[0]!.owner, "line") : formatPlural(found.rows.length, "line")}
    </p>
  );
}

/** What tells of the devices' work, of which a snapshot of memory has none. */
export function TraceOfSnapshot({ capture }: { capture: CaptureInfo }) {
  const { session, place } = useApp();
  const trace = session.info.value?.captures.find(({ id }) => capture.same_run.includes(id));
  if (trace === undefined)
    return <>A snapshot of memory: open a trace of the same run beside it for what the devices did.</>;
  return (
    <>
      A snapshot of memory. What the devices did is in{" "}
      <button class="link" onClick={() => place.follow({ view: "overview", keys: {}, capture: trace.name })}>
        {trace.name}
      </button>
      , a trace of the same run;{" "}
      <button class="link" onClick={() => place.follow({ view: "timeline", keys: {} })}>
        the timeline
      </button>{" "}
      has both.
    </>
  );
}

function useAnswerOf<T>(path: string): Fetched<T> {
  const { api, session } = useApp();
  const answer = useMemo(
    () =>
      followWish(
        computed(() => (session.capture.value === null ? null : `${session.capture.value.revision} ${path}`)),
        (wish, abort) => api.getJson<T>(wish, abort),
        0,
      ),
    [api, session, path],
  );
  return answer.value;
}
