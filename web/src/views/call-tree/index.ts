// Call tree: modules, operators and calls of the host, the kernels that they launched, with the time below each.
import { optionsOfScope } from "../../lib/command-line";
import type { View } from "../view";
import { openCallTree } from "./call-tree";
import { commands } from "./commands";

export const callTree: View = {
  id: "call-tree",
  title: "Call tree",
  words: "callers modules operators who launched",
  suits: (capture) => capture.has_profile,
  commands,
  asCommand: ({ scope }) => ({ words: ["kernels", "--tree", ...optionsOfScope(scope.now.value)] }),
  urlKeys: { calltext: "kept", calltree: "kept", callrow: "ofLink" },
  open: openCallTree,
};
