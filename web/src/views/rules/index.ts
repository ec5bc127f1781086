// Rules: what every rewrite rule of the capture did.
import { nameOfPath } from "../../lib/text";
import type { View } from "../view";
import { commands } from "./commands";
import { listPlaces } from "./places";
import { openRules } from "./rules";

export const rules: View = {
  id: "rules",
  title: "Rules",
  words: "patterns",
  suits: (capture) => capture.has_rewrites,
  commands,
  sayWhere: ({ place }) => {
    const rule = place.key("rule").value;
    return rule === undefined ? "" : `rule ${nameOfPath(rule)}`;
  },
  listPlaces,
  asCommand: ({ place }) => {
    const rule = place.key("rule").value ?? place.key("rules").value;
    return { words: ["rules", ...(rule ? ["--rule", rule] : [])] };
  },
  urlKeys: { rules: "kept", by: "kept", rule: "kept", effect: "ofLink" },
  open: openRules,
};
