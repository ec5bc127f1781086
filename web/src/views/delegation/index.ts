// Delegation: which operators of an ExecuTorch program went to no delegate, and what is known of why.
import type { View } from "../view";
import { commands } from "./commands";
import { openDelegation } from "./delegation";

export const delegation: View = {
  id: "delegation",
  title: "Delegation",
  suits: (capture) => capture.format === "etdump" && capture.has_profile,
  commands,
  urlKeys: { execution: "kept", leftoutorder: "kept", leftout: "ofLink" },
  open: openDelegation,
};
