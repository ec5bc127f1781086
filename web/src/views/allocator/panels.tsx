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
          aria-label="Of what"
          title="M goes on to the next of these. A drag over the curve chooses the time."
          value={state.of.value}
          onChange={(event) => state.setOf(event.currentTarget.value as Asked)}
        >
          <option value="held">held at the moment</option>
          <option value="made">made in the time shown</option>
          <option value="left">made in it, and left at its end</option>
        </select>
        <span class="dim">
          {value !== null &&
            `${formatPlural(value.data.count, "owner")}, ${formatPlural(value.data.allocations, "allocation")}`}
        </span>
        <ListExport list={list} name="owners of memory" />
      </header>
      <div class={isStale ? "scroll stale" : "scroll"} aria-busy={isStale} data-scrolls tabIndex={0}>
        <WhenFetched fetched={owners.value} waiting="Finding who holds it" broken="Who holds it cannot be shown">
          {(data) =>
            state.by.value === "way" ? (
              <Tree state={state} rows={data.rows} whole={data.bytes} />
            ) : (
              <ListTable list={list} label="Who holds the memory" nothing="Nothing is allocated then." />
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
    <table class="details allocator-tree" aria-label="Who holds the memory, by the way to it">
      <thead>
        <tr>
          <th class="left">From the outermost line down</th>
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
    <WhenFetched fetched={state.state.value} waiting="Finding the segments" broken="The segments cannot be shown">
      {(data) =>
        data.segments.length === 0 ? (
          <p class="dim note">The allocator held no segment then.</p>
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
        No ranges were recorded that come again and again: steps that end are what a leak is told by. torch.profiler's
        record_function and profile(schedule) make them.
      </p>
    );
  }
  return (
    <div class="allocator-panel">
      <header class="allocator-head">
        <label>
          <span class="dim">steps are</span>{" "}
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
        <span class="dim">what a step made and the next one did not free</span>
        <ListExport list={state.leakList} name="leaks" />
      </header>
      <div class="scroll" data-scrolls tabIndex={0}>
        <WhenFetched fetched={state.leaks.value} waiting="Finding what stays" broken="The leaks cannot be shown">
          {({ steps }) => (
            <ListTable
              list={state.leakList}
              label="What leaks"
              nothing={
                steps === 0 ? "There are too few steps to tell." : "Nothing: each step's memory is freed in the next."
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
            : `${formatPlural(value.count, "allocation")} in all the time`}
        </span>
        <ListExport list={list} name="allocations" />
      </header>
      <div class="scroll" data-scrolls tabIndex={0}>
        {state.words.value !== "" && (
          <WhenFetched fetched={lives.value} waiting="Looking" broken="That cannot be looked for">
            {() => <ListTable list={list} label="Allocations found" nothing="No allocation is so." />}
          </WhenFetched>
        )}
      </div>
    </div>
  );
}
