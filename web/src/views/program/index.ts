// Program: the source and machine code that a context made.
import type { View } from "../view";
import { commands } from "./commands";

export const program: View = {
  id: "program",
  title: "Program",
  suits: (capture) => capture.has_rewrites,
  commands,
  urlKeys: {
    at: "ofContext",
    loop: "ofContext",
    ins: "ofContext",
    line: "ofContext",
    reg: "ofContext",
    panel: "kept",
    cpu: "kept",
    code: "kept",
    with: "kept",
  },
  load: async () => (await import("./program")).openProgram,
};
