// Overview: where the time went, on one page.
import type { View } from "../view";
import { openOverview } from "./overview";

export const overview: View = {
  id: "overview",
  title: "Overview",
  suits: (capture) => capture.has_profile,
  commands: [],
  urlKeys: {},
  open: openOverview,
};
