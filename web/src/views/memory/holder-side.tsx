// Beside the table: the chosen allocation, and the allocations of the chosen holder, or all that are alive then.
import { parsePythonLine } from "../../lib/memory";
import { formatCount, formatPlural } from "../../lib/text";
import { nameOfBuffer, type LaneInfo } from "../../lib/timeline/timeline";
import type { AllocationOrigin, WireAllocationDetail, WireEvent } from "../../lib/timeline/wire";
import type { WireLocation } from "../../lib/wire";
import { Name } from "../parts/name";
import { useApp } from "../parts/app-context";
import { CopyButton } from "../parts/copy-button";
import { Facts } from "../parts/facts";
import { Bytes, Duration, Moment } from "../parts/figure";
import { ListExport, ListFilter, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { LocationLink } from "../parts/location-link";
import { Section } from "../parts/section";
import { EventLink, sayType } from "./allocation-columns";
import type { Memories, MemoryState } from "./state";

export function HolderSide({ memory, memories }: { memory: MemoryState; memories: Memories }) {
  const chosen = memory.allocation.value;
  return (
    <div class="memory-side scroll" data-scrolls tabIndex={0}>
      {chosen !== null && <AllocationSection allocation={chosen} memory={memory} memories={memories} />}
      {memory.of.value !== "allocation" && <HeldAllocations memory={memory} />}
      {memory.of.value === "allocation" && chosen === null && <p class="dim note">Choose an allocation.</p>}
    </div>
  );
}

function HeldAllocations({ memory }: { memory: MemoryState }) {
  const { setList: list, holderList, set } = memory;
  const { wish, value } = set.value;
  const holder = holderList.chosen.value;
  const isStale = value !== null && value.wish !== wish;
  // A field that all share with the holder needs no column.
  const narrow = ["size_bytes", holder === null ? "made_in" : "birth_ns", "kernels", "death_ns"];
  return (
    <Section title={holder === null ? "All allocations alive then" : "Held by"} note={sayListed(value?.data)}>
      {holder !== null && (
        <p class="memory-holder">
          <Name name={holder.name ?? "made by something that the capture does not tell"} />
        </p>
      )}
      <div class="memory-side-tools">
        <ListFilter list={list} hint="Filter allocations" label="Filter allocations" />
        <ListExport list={list} name="allocations" />
      </div>
      <div class={isStale ? "stale" : ""} aria-busy={isStale}>
        <WhenFetched fetched={set.value} waiting="Finding them" broken="The allocations cannot be shown">
          {() => (
            <ListTable
              list={list}
              label="Allocations"
              columns={list.columns.value.filter(({ id }) => narrow.includes(id))}
              nothing="Nothing of it was alive then."
            />
          )}
        </WhenFetched>
      </div>
    </Section>
  );
}

/** For a set that is listed in part: says that the largest are listed. */
export function sayListed(set: { count: number; items: readonly unknown[] } | undefined): string {
  if (set === undefined) return "…";
  const all = formatPlural(set.count, "allocation");
  return set.items.length < set.count ? `the largest ${formatCount(set.items.length)} of ${all}` : all;
}

interface SectionProps {
  allocation: WireAllocationDetail;
  memory: MemoryState;
  memories: Memories;
}

/** How what an allocation was made in is known. */
const kOrigins: Record<AllocationOrigin, string> = {
  none: "",
  thread: "the innermost operator on the thread that asked",
  use: "the first event that uses it: the capture does not tell which thread asked",
  time: "ran then: the capture does not tell which thread asked",
};

function AllocationSection({ allocation, memory, memories }: SectionProps) {
  const { place } = useApp();
  const { lanes, dur_ns } = memories;
  const { size_bytes, count, dtype, birth_ns, death_ns, earlier, made_in, origin, module, line, category } = allocation;
  const link = (event: WireEvent) => <EventLink event={event} lanes={lanes} place={place} />;
  const of = lanes[memory.lane.value]!.memory!;
  const { isAddressed } = of;
  const name = nameOfBuffer(of, allocation.key);
  return (
    <Section
      title={isAddressed ? "Allocation" : `Allocation, ${name}`}
      note={<CopyButton text={() => `${name}: ${size_bytes} bytes`} label="the allocation" />}
    >
      <Facts
        facts={[
          ["Bytes", <Bytes bytes={size_bytes} />],
          ...(isAddressed ? [["Address", <span class="mono">{name}</span>] as const] : []),
          ...(dtype === "" ? [] : [["Elements", `${formatCount(count)} × ${dtype}`] as const]),
          ...(category === "" || category === dtype ? [] : [["Category", sayType(allocation)] as const]),
          ["Made at", earlier ? "before the capture began" : <Moment ns={birth_ns} />],
          ["Freed at", death_ns < 0 ? "never, alive at the end" : <Moment ns={death_ns} />],
          [earlier ? "Alive here for" : "Alive for", <Duration ns={(death_ns < 0 ? dur_ns : death_ns) - birth_ns} />],
          [
            "Made in",
            made_in === null ? (
              <span class="dim">{earlier ? "before the capture began" : "The capture does not tell."}</span>
            ) : (
              <>
                {link(made_in)} <span class="dim">{kOrigins[origin]}</span>
              </>
            ),
          ],
          ...(module === null ? [] : [["Module", module] as const]),
          ...(line === null ? [] : [["Python function", <PythonLine line={line} />] as const]),
        ]}
      />
      {allocation.around.length > 0 && <Around around={allocation.around} lanes={lanes} />}
      <h3 class="section-title">Kernels that touch it</h3>
      {allocation.kernels.length > 0 ? (
        <ul class="memory-kernels">
          {allocation.kernels.map((kernel) => (
            <li key={`${kernel.lane} ${kernel.index}`}>{link(kernel)}</li>
          ))}
        </ul>
      ) : (
        <p class="dim">
          {allocation.uses === null
            ? "The capture does not tell which kernels touch a buffer."
            : "None of those that the capture has."}
        </p>
      )}
    </Section>
  );
}

/** What it was made in, as a stack, the innermost on top. */
function Around({ around, lanes }: { around: readonly WireEvent[]; lanes: readonly LaneInfo[] }) {
  const { place } = useApp();
  return (
    <details class="memory-around" open>
      <summary class="section-title">Its stack, {formatPlural(around.length, "frame")}</summary>
      <ol>
        {[...around].reverse().map((event) => (
          <li key={event.index}>
            <EventLink event={event} lanes={lanes} place={place} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The name of the function, and where it begins, as a link to the editor. */
function PythonLine({ line }: { line: string }) {
  const parsed = parsePythonLine(line);
  if (parsed === null) return <span class="mono">{line}</span>;
  const location: WireLocation = [parsed.file, parsed.line, null];
  return (
    <>
      <span class="mono">{parsed.function}</span> <LocationLink location={location} />
    </>
  );
}
