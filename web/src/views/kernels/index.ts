// Kernels: what ran on the devices, by name, operator and more, and how close to the device's limits.
import { optionsOfScope } from "../../lib/command-line";
import type { View } from "../view";
import { commands } from "./commands";
import { openKernels } from "./kernels";

export const kernels: View = {
  id: "kernels",
  title: "Kernels",
  words: "roofline flops launches slowest",
  tab: "Table",
  suits: (capture) => capture.has_profile,
  commands,
  pointer: "Over the roofline dragging moves and Ctrl with the wheel zooms; a click on a dot chooses its kernel.",
  sayWhere: ({ place }) => place.key("kernel").value ?? "",
  asCommand: ({ place, scope }) => {
    const [group, text] = [place.key("group").value, place.key("kernels").value];
    const named = text ? ["--name", text] : [];
    return { words: ["kernels", ...(group ? ["--group", group] : []), ...named, ...optionsOfScope(scope.now.value)] };
  },
  urlKeys: { group: "kept", kernels: "kept", kernelorder: "kept", kernel: "ofLink" },
  open: openKernels,
};
