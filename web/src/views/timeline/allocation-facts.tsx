// The selected allocation: its size and life, what it was made in, the kernels that touch it, and the way to the others
// that were held with it.
import { linkToMemory } from "../../lib/links";
import { formatCount, formatShare } from "../../lib/text";
import { formatMoment } from "../../lib/time";
import type { AllocationItem, EventItem } from "../../lib/timeline/events";
import type { TimelineSource } from "../../lib/timeline/source";
import { nameOfBuffer, nameOfMemory } from "../../lib/timeline/timeline";
import { Name } from "../parts/name";
import { useApp } from "../parts/app-context";
import { CopyButton } from "../parts/copy-button";
import { Facts } from "../parts/facts";
import { Bytes, Duration, Moment } from "../parts/figure";
import { useTimeline } from "./context";
import { LoggedAllocation } from "./logged-allocation";
import { useAnswer } from "./use-answer";

export function AllocationFacts({ source, selected }: { source: TimelineSource; selected: AllocationItem }) {
  const { place } = useApp();
  const shown = source.timeline;
  const timeline = useTimeline();
  const lane = shown.lanes[selected.lane]!;
  const { size_bytes: size, allocation } = selected;
  const answer = useAnswer(() => (source) => source.allocation(selected.lane, allocation), [selected.lane, allocation]);
  const { peak_bytes, peak_ns, hasLog } = lane.memory!;
  const isAtPeak = selected.birth <= peak_ns && selected.death > peak_ns;
  const kernels = answer.value?.kernels ?? [];
  const name = `${nameOfMemory(lane.title)} ${nameOfBuffer(lane.memory!, selected.key)}`;
  const link = (event: EventItem) => (
    <button class="link" onClick={() => timeline.show(event)}>
      <Name name={event.label} />
    </button>
  );
  return (
    <div class="event-tab">
      <section>
        <h2 class="event-name">
          {name}
          <CopyButton text={() => `${name}: ${size} bytes`} label="the buffer" />
        </h2>
        <Facts
          facts={[
            ["Size", <Bytes bytes={size} />],
            ...(selected.dtype === ""
              ? []
              : [["Elements", `${formatCount(selected.count)} × ${selected.dtype}`] as const]),
            ["Made", <Moment ns={selected.birth} />],
            ["Freed", selected.death === Infinity ? "never, alive at the end" : <Moment ns={selected.death} />],
            ["Alive for", <Duration ns={Math.min(selected.death, shown.dur_ns) - selected.birth} />],
            [
              "Share of the peak",
              `${formatShare(size / Math.max(peak_bytes, 1))}${isAtPeak ? "" : ", not alive then"}`,
            ],
            ...(hasLog
              ? []
              : [
                  [
                    "Made in",
                    selected.madeIn === null ? <span class="dim">not known</span> : link(selected.madeIn),
                  ] as const,
                ]),
          ]}
        />
        {!hasLog && (
          <p>
            <button
              class="link"
              onClick={() => place.follow(linkToMemory(lane.path, { at_ns: selected.birth, allocation }))}
            >
              What else was held then →
            </button>
          </p>
        )}
      </section>
      {hasLog && <LoggedAllocation source={source} selected={selected} />}
      {!hasLog && (
        <section>
          <h3 class="section-title">Kernels that touch it</h3>
          {kernels.length > 0 ? (
            <ul class="kernels">
              {kernels.map((kernel) => (
                <li key={`${kernel.lane} ${kernel.event}`}>
                  {link(kernel)} <span class="dim">at {formatMoment(kernel.start)}</span>{" "}
                  <button class="link" title="Its rewrites" onClick={() => timeline.open(kernel)}>
                    rewrites →
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            <p class="dim">{answer.value === null ? "…" : sayNoKernels(selected)}</p>
          )}
        </section>
      )}
    </div>
  );
}

const sayNoKernels = ({ uses }: AllocationItem): string =>
  uses === null ? "The capture does not tell which kernels touch a buffer." : "None of those that the capture has.";
