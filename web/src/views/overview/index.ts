// Overview: where the time went, on one page.
import type { View } from "../view";

export const overview: View = {
  id: "overview",
  title: "Overview",
  suits: (capture) => capture.has_profile,
  commands: [],
  urlKeys: {},
  load: async () => (await import("./overview")).openOverview,
};
