// Call tree: modules, operators and calls of the host, the kernels that they launched, with the time below each.
import type { View } from "../view";
import { openCallTree } from "./call-tree";
import { commands } from "./commands";

export const callTree: View = {
  id: "call-tree",
  title: "Call tree",
  words: "callers modules operators who launched",
  suits: (capture) => capture.has_profile,
  commands,
  urlKeys: { calltext: "kept", calltree: "kept", callrow: "ofLink" },
  open: openCallTree,
};
