// Collectives: what ranks exchanged, how fast, and which rank the others waited for.
import { computed, signal } from "@preact/signals";
import type { WireDevices } from "../../lib/devices";
import { followProfile } from "../../state/asked";
import { optionsOfScope } from "../../lib/command-line";
import type { View } from "../view";
import { openCollectives } from "./collectives";

export const collectives: View = {
  id: "collectives",
  title: "Collectives",
  words: "communication nccl allreduce stragglers skew",
  suits: (capture) => capture.has_profile,
  isOffered(app) {
    const devices = followProfile<WireDevices>(app, signal(true), () => "/api/v1/devices");
    return computed(
      () => devices.value.value?.data.breakdown.some(({ communication_ns }) => communication_ns > 0) === true,
    );
  },
  commands: [],
  asCommand: ({ scope }) => ({ words: ["kernels", "--collectives", ...optionsOfScope(scope.now.value)] }),
  urlKeys: { collectives: "kept", collectivetext: "kept", collectiveorder: "kept" },
  open: openCollectives,
};
