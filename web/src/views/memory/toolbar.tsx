// The memory's toolbar: of which device, when, by what; and in a menu how it is drawn.
import { useSignal } from "@preact/signals";
import { kHolderGroups } from "../../lib/memory";
import { formatMoment } from "../../lib/time";
import { dataOf } from "../../state/fetched";
import { KeyCap } from "../parts/key-cap";
import { MemoryChoice } from "../parts/memory-choice";
import { Menu } from "../parts/menu";
import { kGroupTexts } from "./holder-columns";
import type { Memories, MemoryState, TableOf } from "./state";

export function MemoryToolbar({ memory, memories }: { memory: MemoryState; memories: Memories }) {
  const { lanes, owners } = memories;
  const { at, lane, of } = memory;
  const isTime = typeof at.value === "number";
  return (
    <header class="memory-head">
      <MemoryChoice lanes={lanes} owners={owners} lane={lane.value} onChoose={memory.setLane} />
      <span role="radiogroup" aria-label="When" class="choices">
        <button role="radio" aria-checked={at.value === "peak"} onClick={() => memory.setAt("peak")}>
          at the peak <KeyCap command="memory.peak" />
        </button>
        <button role="radio" aria-checked={at.value === "end"} onClick={() => memory.setAt("end")}>
          never freed
        </button>
        {isTime && (
          <button role="radio" aria-checked={true}>
            at {formatMoment(at.value as number)}
          </button>
        )}
      </span>
      <select
        class="choice"
        aria-label="Who held it"
        value={of.value}
        onChange={(event) => memory.setOf(event.currentTarget.value as TableOf)}
      >
        {kHolderGroups.map((group) => (
          <option key={group} value={group}>
            {kGroupTexts[group].choice}
          </option>
        ))}
        <option value="allocation">each allocation</option>
      </select>
      <Growth memory={memory} />
      <DrawnMenu memory={memory} isAddressed={lanes[lane.value]!.memory!.isAddressed} />
    </header>
  );
}

/** From when growth counts. */
function Growth({ memory }: { memory: MemoryState }) {
  const { since } = memory;
  const at_ns = dataOf(memory.holders.value)?.at_ns ?? null;
  if (since.value !== null) {
    return (
      <button class="pill on" title="Count growth from the beginning again" onClick={() => memory.setSince(null)}>
        growth since {formatMoment(since.value)} ×
      </button>
    );
  }
  return (
    <button
      class="pill"
      disabled={at_ns === null}
      title="Count growth from the time that is shown; then choose a later one"
      onClick={() => memory.setSince(at_ns)}
    >
      growth from here <KeyCap command="memory.since" />
    </button>
  );
}

function DrawnMenu({ memory, isAddressed }: { memory: MemoryState; isAddressed: boolean }) {
  const open = useSignal(false);
  const { shown, order } = memory.drawn.value;
  return (
    <Menu open={open} label="drawn as" title="How the memory is drawn" isOn={shown !== "blocks" || order !== "time"}>
      <Choices
        label="Drawn as"
        chosen={shown}
        options={[
          ["blocks", isAddressed ? "allocations by address" : "allocations, packed"],
          ["categories", "bytes by category"],
        ]}
        onChoose={(next) => memory.setDrawn({ shown: next })}
      />
      <Choices
        label="Across"
        chosen={order}
        options={[
          ["time", "by time"],
          ["events", "by allocation order"],
        ]}
        onChoose={(next) => memory.setDrawn({ order: next })}
      />
    </Menu>
  );
}

interface ChoicesProps<T> {
  label: string;
  chosen: T;
  options: readonly (readonly [value: T, text: string])[];
  onChoose: (value: T) => void;
}

function Choices<T extends string>({ label, chosen, options, onChoose }: ChoicesProps<T>) {
  return (
    <span role="radiogroup" aria-label={label} class="choices">
      {options.map(([value, text]) => (
        <button key={value} role="radio" aria-checked={value === chosen} onClick={() => onChoose(value)}>
          {text}
        </button>
      ))}
    </span>
  );
}
