// Chooses a memory: a choice if a capture has several, else its name.
import type { LaneInfo } from "../../lib/timeline/timeline";
import { nameOfMemory } from "../../lib/timeline/timeline";

interface MemoryChoiceProps {
  lanes: readonly LaneInfo[];
  /** The lanes that own memory. */
  owners: readonly number[];
  lane: number;
  onChoose: (lane: number) => void;
}

export function MemoryChoice({ lanes, owners, lane, onChoose }: MemoryChoiceProps) {
  if (owners.length < 2) return <b>{nameOfMemory(lanes[lane]!.title)}</b>;
  return (
    <select
      class="choice"
      aria-label="Memory"
      value={lane}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
    >
      {owners.map((l) => (
        <option key={l} value={l}>
          {nameOfMemory(lanes[l]!.title)}
        </option>
      ))}
    </select>
  );
}
