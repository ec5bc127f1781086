// The colour of an owner, as the pictures have it.
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** The colour of an owner's number; null: none of its own. */
export const OwnerColour = createContext<(id: number) => string>(() => "transparent");

export function OwnerChip({ id }: { id: number }) {
  const colourOf = useContext(OwnerColour);
  return <i class="allocator-chip" style={{ background: colourOf(id) }} />;
}
