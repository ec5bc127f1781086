// The allocator's view: memory over time by owner, the moment that is looked at in words, and under it one of four
// panels: who holds the memory, the segments, what leaks, allocations found.
import { ownerColour } from "../../draw/allocator/curve";
import {
  nextMoment,
  sayEntry,
  sayLacking,
  sayOom,
  sayShape,
  type OwnerKind,
  type WireAllocator,
  type WireOom,
} from "../../lib/allocator";
import { formatCount, formatPlural } from "../../lib/text";
import { formatMoment } from "../../lib/time";
import { dataOf } from "../../state/fetched";
import { useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { KeyCap } from "../parts/key-cap";
import { WhenFetched } from "../parts/list-view/list-view";
import { MemoryChoice } from "../parts/memory-choice";
import { Split } from "../parts/split";
import type { OpenView } from "../view";
import { CurvePicture } from "./curve-picture";
import { OwnerColour } from "./owner-chip";
import { FindPanel, LeaksPanel, OwnersPanel, SegmentsPanel } from "./panels";
import { kColoured } from "./segments-picture";
import { AllocatorSide } from "./side";
import { createAllocator, kAsked, type AllocatorState, type Memories, type Panel } from "./state";
import { useColours } from "./use-colours";
import "./allocator.css";

export const openAllocator: OpenView = (app, isShown) => {
  const state = createAllocator(app, isShown);
  return () => (
    <WhenFetched fetched={state.lanes.value} waiting="Reading the snapshot" broken="The memory cannot be shown">
      {() => {
        const memories = state.memories.value;
        if (memories === null || state.lane.value < 0) return <Blank title="The capture is being read" />;
        return (
          <WhenFetched fetched={state.whole.value} waiting="Replaying the allocator" broken="It cannot be shown">
            {(whole) => <Room state={state} memories={memories} whole={whole} />}
          </WhenFetched>
        );
      }}
    </WhenFetched>
  );
};

interface RoomProps {
  state: AllocatorState;
  memories: Memories;
  whole: WireAllocator;
}

function Room({ state, memories, whole }: RoomProps) {
  useAllocatorCommands(state, whole);
  const { palette, colours } = useColours();
  const focus = state.owner.value;
  const colourOf = (id: number) => ownerColour(id < kColoured || id === focus ? id : -1, colours, palette);
  const panels: Record<Panel, () => preact.JSX.Element> = {
    owners: () => <OwnersPanel state={state} />,
    segments: () => <SegmentsPanel state={state} />,
    leaks: () => <LeaksPanel state={state} />,
    find: () => <FindPanel state={state} />,
  };
  return (
    <OwnerColour.Provider value={colourOf}>
      <div class="allocator-view">
        <Toolbar state={state} memories={memories} whole={whole} />
        <CurvePicture state={state} memories={memories} whole={whole} />
        <MomentLine state={state} whole={whole} />
        <Split
          left={null}
          leftLabel=""
          middle={panels[state.panel.value]()}
          right={<AllocatorSide state={state} memories={memories} />}
          rightLabel="the allocations"
        />
      </div>
    </OwnerColour.Provider>
  );
}

function useAllocatorCommands(state: AllocatorState, whole: WireAllocator): void {
  const { setAt, setPanel, ownerList, leakList } = state;
  const step = (by: number) => {
    const entry = state.entry.peek();
    if (entry !== null) setAt(Math.min(Math.max(entry + by, -1), whole.entries - 1));
  };
  const list = () => (state.panel.peek() === "leaks" ? leakList : ownerList);
  useCommand("allocator.peak", () => setAt("peak"));
  useCommand("allocator.end", () => setAt("end"));
  useCommand("allocator.oom", () => goToNextOom(state, whole));
  useCommand("allocator.owners", () => setPanel("owners"));
  useCommand("allocator.of", () => state.setOf(kAsked[(kAsked.indexOf(state.of.peek()) + 1) % kAsked.length]!));
  useCommand("allocator.segments", () => setPanel("segments"));
  useCommand("allocator.leaks", () => setPanel("leaks"));
  useCommand("allocator.find", () => setPanel("find"));
  useCommand("allocator.whole", () => state.setRange(null));
  useCommand("allocator.back", () => step(-1));
  useCommand("allocator.on", () => step(1));
  useCommand("allocator.farBack", () => step(-100));
  useCommand("allocator.farOn", () => step(100));
  useCommand("allocator.previous", () => list().move(-1));
  useCommand("allocator.next", () => list().move(1));
  useCommand("page.clear", () => {
    if (state.owner.peek() === null && state.range.peek().from === 0) return false;
    state.chooseOwner(null);
    state.setRange(null);
    return true;
  });
}

function goToNextOom(state: AllocatorState, { ooms }: WireAllocator): boolean {
  const at = state.at.peek();
  const next = nextMoment(ooms, typeof at === "number" ? at : -1);
  if (next === null) return false;
  state.setAt(next);
  return true;
}

const kKinds: Record<OwnerKind, string> = {
  line: "by line",
  way: "by the way to the line",
  file: "by file",
  operator: "by operator",
  node: "by autograd's node",
  phase: "by phase",
  size: "by size",
  pool: "by pool",
  stream: "by stream",
  annotation: "by annotation",
  metadata: "by metadata",
  compile: "by compiled region",
};

const kPanelNames: readonly (readonly [Panel, string, string])[] = [
  ["owners", "Who holds it", "allocator.owners"],
  ["segments", "Segments", "allocator.segments"],
  ["leaks", "Leaks", "allocator.leaks"],
  ["find", "Find", "allocator.find"],
];

function Toolbar({ state, memories, whole }: RoomProps) {
  const { lanes, owners } = memories;
  const { at, lane, by, panel } = state;
  const isOom = whole.ooms.some(({ entry }) => entry === at.value);
  return (
    <header class="allocator-head">
      <MemoryChoice lanes={lanes} owners={owners} lane={lane.value} onChoose={state.setLane} />
      <Exactness whole={whole} />
      <span role="radiogroup" aria-label="When" class="choices">
        <button role="radio" aria-checked={at.value === "peak"} onClick={() => state.setAt("peak")}>
          peak <KeyCap command="allocator.peak" />
        </button>
        {whole.oom_count > 0 && (
          <button role="radio" aria-checked={isOom} onClick={() => goToNextOom(state, whole)}>
            out of memory ({formatCount(whole.oom_count)}) <KeyCap command="allocator.oom" />
          </button>
        )}
        <button role="radio" aria-checked={at.value === "end"} onClick={() => state.setAt("end")}>
          end <KeyCap command="allocator.end" />
        </button>
      </span>
      <select
        class="choice"
        aria-label="Owners"
        value={by.value}
        onChange={(event) => state.setBy(event.currentTarget.value as OwnerKind)}
      >
        {Object.entries(kKinds).map(([kind, title]) => (
          <option key={kind} value={kind}>
            {title}
          </option>
        ))}
      </select>
      <span role="radiogroup" aria-label="Shown" class="choices">
        {kPanelNames.map(([name, title, command]) => (
          <button key={name} role="radio" aria-checked={panel.value === name} onClick={() => state.setPanel(name)}>
            {title} <KeyCap command={command} />
          </button>
        ))}
      </span>
    </header>
  );
}

/** A tick with what it means; else by how much the replay is not exact. */
function Exactness({ whole }: { whole: WireAllocator }) {
  if (whole.is_exact) {
    return (
      <span
        class="allocator-exact"
        title="Played entry by entry, the replay ends in the snapshot's own segments and blocks: address, size and state."
      >
        ✓ exact
      </span>
    );
  }
  return (
    <span class="marker" title="Settings of the allocator were changed while it ran, or entries are missing.">
      not exact: {formatPlural(whole.mismatched, "block")} differ from the snapshot's
    </span>
  );
}

/** The moment that is shown in words, why memory ran out there, and what the file does not tell. */
function MomentLine({ state, whole }: { state: AllocatorState; whole: WireAllocator }) {
  const shown = dataOf(state.state.value) ?? state.state.value.value?.data;
  if (shown === undefined) return <p class="allocator-moment dim">…</p>;
  const oom = whole.ooms.find(({ entry }) => entry === shown.entry);
  const when = state.at.value === "peak" ? "At the peak" : state.at.value === "end" ? "At the end" : "At";
  const at = shown.at_ns === null || !state.hasTimes.value ? "" : `, ${formatMoment(shown.at_ns)}`;
  const lacking = sayLacking(whole);
  return (
    <div class="allocator-moment">
      <p>
        <b>
          {when}
          {state.at.value === "peak" || state.at.value === "end" ? ", " : " "}
          {sayEntry(shown.entry)}
          {at}:
        </b>{" "}
        {sayShape(shown).join(" · ")}
        {shown.action !== null && state.at.value !== "peak" && state.at.value !== "end" && (
          <span class="dim"> · {shown.action}</span>
        )}
      </p>
      {oom !== undefined && <OomLine state={state} oom={oom} />}
      {lacking.length > 0 && <p class="dim">Not recorded: {lacking.join(", ")}.</p>}
    </div>
  );
}

function OomLine({ state, oom }: { state: AllocatorState; oom: WireOom }) {
  return (
    <p class="allocator-oom">
      <b>Out of memory:</b> {sayOom(oom)}
      {oom.between !== null && (
        <>
          {" "}
          {oom.between.lives.slice(0, 4).map((life, i) => (
            <button key={life.life} class="link mono" onClick={() => state.chooseLife(life.life)}>
              {i > 0 && ", "}
              {life.line.split("/").at(-1)}
            </button>
          ))}
          {oom.between.lives.length > 4 && <span class="dim"> and {oom.between.lives.length - 4} more</span>}
        </>
      )}
    </p>
  );
}
