// Compare: what changed from one capture to another: the verdict, then kernel by kernel, and each one's own evidence.
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
  urlKeys: { against: "kept", after: "kept", join: "kept", changes: "kept", comparerow: "kept", rewritesof: "ofLink" },
  open: openCompare,
};
