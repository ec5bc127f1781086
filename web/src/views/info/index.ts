// Info: what the capture is made of, and what it says of its machine and its making.
import type { View } from "../view";
import { openInfo } from "./info";

export const info: View = {
  id: "info",
  title: "Info",
  words: "warnings skipped facts machine versions",
  suits: (capture) => capture.has_rewrites || capture.has_profile,
  commands: [],
  asCommand: () => ({ words: ["ls"] }),
  urlKeys: {},
  open: openInfo,
};
