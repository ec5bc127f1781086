// Places of links made before what they name moved: each leads to where that is now.
import type { Keys, Place } from "./place";

interface Move {
  /** The view that the link names. */
  view: string;
  /** The key that said which part of it, and its value. */
  key: string;
  value: string;
  /** The view that is that part now, and the new names of keys that mean the same there. */
  to: string;
  renamed?: Readonly<Record<string, string>>;
}

const kMoves: readonly Move[] = [
  { view: "kernels", key: "shown", value: "tree", to: "call-tree", renamed: { kernels: "calltext" } },
  { view: "kernels", key: "shown", value: "collectives", to: "collectives" },
  { view: "kernels", key: "shown", value: "sequences", to: "sequences", renamed: { kernels: "sequences" } },
  { view: "inspector", key: "inspect", value: "partitions", to: "delegation", renamed: { block: "execution" } },
  { view: "timeline", key: "details", value: "memory", to: "memory" },
];

/** A place that names no view was one of the view that its keys are of. */
export function renewPlace(place: Place): Place {
  const move = kMoves.find(
    ({ view, key, value }) => place.keys[key] === value && (place.view === view || place.view === ""),
  );
  if (move === undefined) return place;
  const { [move.key]: _, ...kept } = place.keys;
  const keys: Keys = Object.fromEntries(
    Object.entries(kept).map(([key, value]) => [move.renamed?.[key] ?? key, value]),
  );
  return { ...place, view: move.to, keys };
}
