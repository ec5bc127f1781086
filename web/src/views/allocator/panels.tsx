// What stands under the curve: who holds the memory, its segments, what leaks, or allocations that words find.
import { useSignal } from "@preact/signals";
import { sayLine, treeOfWays, type WireOwnerRow } from "../../lib/allocator";
import { formatCount, formatPlural } from "../../lib/text";
import { Bytes, Share } from "../parts/figure";
import { FilterBox } from "../parts/filter-box";
import { ListExport, ListFilter, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { SegmentsPicture } from "./segments-picture";
import type { AllocatorState, Asked } from "./state";

export function OwnersPanel({ state }: { state: AllocatorState }) {
  const { ownerList: list, owners } = state;
  const { wish, value } = owners.value;
  const isStale = value !== null && value.wish !== wish;
  return (
    <div class="allocator-panel">
      <header class="allocator-head">
        <ListFilter list={list} hint="Filter owners" label="Filter owners" />
        <select
          class="choice"
          aria-label="Which allocations"
          title="Press M for the next choice. Drag over the curve to choose a time range."
          value={state.of.value}
          onChange={(event) => state.setOf(event.currentTarget.value as Asked)}
        >
          <option value="held">allocated at this entry</option>
          <option value="made">allocated in this time range</option>
          <option value="left">allocated in this time range and not freed</option>
        </select>
        <span class="dim">
          {value !== null &&
            `${formatPlural(value.data.count, "owner")}, ${formatPlural(value.data.allocations, "allocation")}`}
        </span>
        <ListExport list={list} name="owners of memory" />
      </header>
      <div class={isStale ? "scroll stale" : "scroll"} aria-busy={isStale} data-scrolls tabIndex={0}>
        <WhenFetched fetched={owners.value} waiting="Finding owners" broken="Cannot show the owners">
          {(data) =>
            state.by.value === "way" ? (
              <Tree state={state} rows={data.rows} whole={data.bytes} />
            ) : (
              <ListTable list={list} label="Memory owners" nothing="Nothing is allocated at this entry." />
            )
          }
        </WhenFetched>
      </div>
    </div>
  );
}

interface TreeProps {
  state: AllocatorState;
  rows: readonly WireOwnerRow[];
  whole: number;
}

/**
 * The user's lines from the outermost down: what each leads to is the sum of what is below it. A click folds a line, and
 * chooses the allocations of one to which nothing more belongs.
 */
function Tree({ state, rows, whole }: TreeProps) {
  const turned = useSignal<ReadonlySet<string>>(new Set());
  const isOpen = (key: string, depth: number) => depth < 2 !== turned.value.has(key);
  const turn = (key: string) => {
    const next = new Set(turned.value);
    if (!next.delete(key)) next.add(key);
    turned.value = next;
  };
  return (
    <table class="details allocator-tree" aria-label="Memory owners by call path">
      <thead>
        <tr>
          <th class="left">Call path, outermost frame first</th>
          <th>Bytes</th>
          <th>% of all</th>
          <th>Allocations</th>
        </tr>
      </thead>
      <tbody>
        {treeOfWays(rows, isOpen).map(({ key, line, id, depth, hasMore, bytes, count }) => (
          <tr
            key={key}
            class={id !== null && id === state.owner.value ? "current" : ""}
            onClick={() => (hasMore ? turn(key) : state.chooseOwner(id))}
          >
            <td class="left wide" style={{ paddingLeft: `${14 + depth * 16}px` }} title={line}>
              <span class="dim">{hasMore ? (isOpen(key, depth) ? "▾ " : "▸ ") : "  "}</span>
              <span class="mono">{sayLine(line)}</span>
            </td>
            <td>
              <Bytes bytes={bytes} />
            </td>
            <td>
              <Share of={bytes / Math.max(whole, 1)} />
            </td>
            <td>{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function SegmentsPanel({ state }: { state: AllocatorState }) {
  return (
    <WhenFetched fetched={state.state.value} waiting="Finding the segments" broken="Cannot show the segments">
      {(data) =>
        data.segments.length === 0 ? (
          <p class="dim note">The allocator has no segments at this entry.</p>
        ) : (
          <SegmentsPicture state={state} data={data} />
        )
      }
    </WhenFetched>
  );
}

export function LeaksPanel({ state }: { state: AllocatorState }) {
  const names = state.whole.value.value?.data.steps ?? [];
  if (names.length === 0) {
    return (
      <p class="dim note">
        Leak detection needs at least four marked steps. Mark steps with torch.profiler's record_function or
        profile(schedule).
      </p>
    );
  }
  return (
    <div class="allocator-panel">
      <header class="allocator-head">
        <label>
          <span class="dim">steps</span>{" "}
          <select
            class="choice"
            value={state.steps.value ?? ""}
            onChange={(e) => state.setSteps(e.currentTarget.value)}
          >
            {names.map(({ name, count }) => (
              <option key={name} value={name}>
                {name} ({count})
              </option>
            ))}
          </select>
        </label>
        <span class="dim">allocated in one step and not freed in the next</span>
        <ListExport list={state.leakList} name="leaks" />
      </header>
      <div class="scroll" data-scrolls tabIndex={0}>
        <WhenFetched fetched={state.leaks.value} waiting="Finding leaks" broken="Cannot show the leaks">
          {({ steps }) => (
            <ListTable
              list={state.leakList}
              label="Leaks"
              nothing={
                steps === 0
                  ? "Leak detection needs at least four marked steps."
                  : "No leaks: the memory of each step is freed in the next."
              }
            />
          )}
        </WhenFetched>
      </div>
    </div>
  );
}

export function FindPanel({ state }: { state: AllocatorState }) {
  const { lives, lifeList: list } = state;
  const value = lives.value.value?.data;
  return (
    <div class="allocator-panel">
      <header class="allocator-head">
        <FilterBox
          hint="size>1e9 frame:softmax"
          label="Find allocations"
          text={state.words.value}
          onText={(words) => state.setWords(words)}
        />
        <span class="dim">
          {value === undefined
            ? "size>20MB, size<1e6, frame:, operator:, phase:, metadata:, compile:, address:0x…, or any word"
            : `${formatPlural(value.count, "allocation")} in the whole recording`}
        </span>
        <ListExport list={list} name="allocations" />
      </header>
      <div class="scroll" data-scrolls tabIndex={0}>
        {state.words.value !== "" && (
          <WhenFetched fetched={lives.value} waiting="Searching" broken="Cannot search">
            {() => <ListTable list={list} label="Allocations found" nothing="No results" />}
          </WhenFetched>
        )}
      </div>
    </div>
  );
}
