// Overview: where the time went, on one page.
import type { View } from "../view";
import { openOverview } from "./overview";

export const overview: View = {
  id: "overview",
  title: "Overview",
  words: "idle gaps bubbles busy breakdown steps summary stragglers slow",
  suits: (capture) => capture.has_profile,
  commands: [],
  urlKeys: {},
  open: openOverview,
};
