// Delegation: which operators of an ExecuTorch program went to no delegate, and what is known of why.
import type { View } from "../view";
import { commands } from "./commands";
import { openDelegation } from "./delegation";

export const delegation: View = {
  id: "delegation",
  title: "Delegation",
  suits: (capture) => capture.format === "etdump" && capture.has_profile,
  commands,
  // The runtime's own kernels are called so.
  asCommand: () => ({
    words: [
      "sql",
      "SELECT name, count(*) AS calls, sum(dur) AS ns FROM slice WHERE name GLOB 'native_call_*' GROUP BY name ORDER BY ns DESC",
    ],
  }),
  urlKeys: { execution: "kept", leftoutorder: "kept", leftout: "ofLink" },
  open: openDelegation,
};
