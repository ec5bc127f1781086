// How a kernel of a graph's replay was named; a guess looks like one wherever it stands.
import { kFoundTitles, type Found } from "../../lib/replays";

const kHints: Record<Found, string> = {
  id: "Sure: an annotation or a capture names its node",
  order: "Sure: its place and name are those of one captured launch",
  guessed: "About: more than one captured launch may be it",
  none: "No capture names it",
};

export const FoundMark = ({ found }: { found: Found }) => (
  <span class={`found-mark found-${found}`} title={kHints[found]}>
    {found === "guessed" ? "about" : kFoundTitles[found]}
  </span>
);
