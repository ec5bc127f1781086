// How a kernel of a graph's replay was named; a guess looks like one wherever it stands.
import { kFoundTitles, type Found } from "../../lib/replays";

const kHints: Record<Found, string> = {
  id: "Exact: an annotation or a capture names the node",
  order: "Exact: order and name match one captured launch",
  guessed: "Approximate: several captured launches match",
  none: "Unnamed: no capture names it",
};

export const FoundMark = ({ found }: { found: Found }) => (
  <span class={`found-mark found-${found}`} title={kHints[found]}>
    {found === "guessed" ? "about" : kFoundTitles[found]}
  </span>
);
