// Sequences: kernels that follow one another often, as candidates for fusion.
import type { View } from "../view";
import { openSequences } from "./sequences";

export const sequences: View = {
  id: "sequences",
  title: "Sequences",
  words: "fusion repeated",
  suits: (capture) => capture.has_profile,
  commands: [],
  urlKeys: { sequences: "kept" },
  open: openSequences,
};
