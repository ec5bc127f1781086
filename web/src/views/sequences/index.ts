// Sequences: kernels that follow one another often, as candidates for fusion.
import { optionsOfScope } from "../../lib/command-line";
import type { View } from "../view";
import { openSequences } from "./sequences";

export const sequences: View = {
  id: "sequences",
  title: "Sequences",
  words: "fusion repeated",
  suits: (capture) => capture.has_profile,
  commands: [],
  asCommand: ({ scope }) => ({ words: ["kernels", "--sequences", ...optionsOfScope(scope.now.value)] }),
  urlKeys: { sequences: "kept" },
  open: openSequences,
};
