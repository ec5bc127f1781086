// Compare: what changed from one capture to another, kernel by kernel.
import type { View } from "../view";

export const compare: View = {
  id: "compare",
  title: "Compare",
  suits: (capture) => capture.has_profile,
  commands: [],
  sayWhere: ({ place }) => (place.key("with").value === undefined ? "" : `against ${place.key("with").value}`),
  urlKeys: { with: "kept", join: "kept", changes: "kept" },
  load: async () => (await import("./compare")).openCompare,
};
