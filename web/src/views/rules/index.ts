// Rules: what every rewrite rule of the capture did.
import type { View } from "../view";
import { commands } from "./commands";

export const rules: View = {
  id: "rules",
  title: "Rules",
  suits: (capture) => capture.has_rewrites,
  commands,
  urlKeys: { rules: "kept", by: "kept", rule: "kept", effect: "ofLink" },
  load: async () => (await import("./rules")).openRules,
};
