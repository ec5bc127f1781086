// Compare: what changed from one capture to another, kernel by kernel.
import type { View } from "../view";
import { openCompare } from "./compare";

export const compare: View = {
  id: "compare",
  title: "Compare",
  suits: (capture, others) => capture.has_profile && others.some(({ has_profile }) => has_profile),
  commands: [],
  sayWhere: ({ place }) => (place.key("against").value === undefined ? "" : `against ${place.key("against").value}`),
  urlKeys: { against: "kept", join: "kept", changes: "kept", rewritesof: "ofLink" },
  open: openCompare,
};
