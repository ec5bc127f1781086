// Inspector: what an ExecuTorch runtime did, event by event, by name, by module and by delegate.
import type { View } from "../view";
import { commands } from "./commands";
import { openInspector } from "./inspector";

export const inspector: View = {
  id: "inspector",
  title: "Inspector",
  words: "delegation operators etdump",
  suits: (capture) => capture.format === "etdump" && capture.has_profile,
  commands,
  asCommand: () => ({ words: ["summary"] }),
  sayWhere: ({ place }) => place.key("inspected").value ?? "",
  urlKeys: { block: "kept", inspect: "kept", inspector: "kept", inspectorder: "kept", inspected: "ofLink" },
  open: openInspector,
};
