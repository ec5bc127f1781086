// Compare: what changed from one capture to another: the verdict, then kernel by kernel, and each one's own evidence.
import { choosePair } from "../../lib/comparison";
import { optionsOfScope } from "../../lib/command-line";
import type { View } from "../view";
import { commands } from "./commands";
import { openCompare } from "./compare";

export const compare: View = {
  id: "compare",
  title: "Compare",
  words: "diff regression before after",
  suits: (capture, others) => capture.has_profile && others.some(({ has_profile }) => has_profile),
  commands,
  sayWhere: ({ place }) => (place.key("against").value === undefined ? "" : `against ${place.key("against").value}`),
  // rewritesof: how links from before rows had keys name a kernel.
  asCommand: ({ place, scope, session }) => {
    const captures = (session.info.value?.captures ?? []).filter(({ has_profile }) => has_profile);
    const wanted = { before: place.key("against").value, after: place.key("after").value };
    const pair = choosePair(captures, session.capture.value?.id ?? null, wanted);
    if (pair === null) return null;
    return { words: ["compare", ...optionsOfScope(scope.now.value)], captures: [pair.before, pair.after] };
  },
  urlKeys: { against: "kept", after: "kept", join: "kept", changes: "kept", comparerow: "kept", rewritesof: "ofLink" },
  open: openCompare,
};
