// Overview: where the time went, on one page.
import { optionsOfScope } from "../../lib/command-line";
import type { View } from "../view";
import { openOverview } from "./overview";

export const overview: View = {
  id: "overview",
  title: "Overview",
  words: "idle gaps bubbles busy breakdown steps summary stragglers slow",
  suits: (capture) => capture.has_profile,
  commands: [],
  asCommand: ({ scope }) => ({ words: ["diagnose", ...optionsOfScope(scope.now.value)] }),
  urlKeys: {},
  open: openOverview,
};
