// Steps: how long the server took for each, how steadily, and what the device waited for between replays.
import { computed, signal } from "@preact/signals";
import type { WireServerSteps } from "../../lib/replays";
import { followProfile } from "../../state/asked";
import type { View } from "../view";
import { openServerSteps } from "./server-steps";

export const serverSteps: View = {
  id: "server-steps",
  title: "Steps",
  words: "tokens per second latency decode prefill batch steady window gaps server vllm sglang",
  suits: (capture) => capture.format === "chrome" && capture.has_profile,
  isOffered(app) {
    const steps = followProfile<WireServerSteps>(app, signal(true), () => "/api/v1/server-steps");
    return computed(() => steps.value.value?.data.ranks.some(({ rows }) => rows.length > 0) === true);
  },
  commands: [],
  pointer: "A click on a step goes to it on the timeline.",
  asCommand: () => ({ words: ["summary", "--steps"] }),
  urlKeys: { steps: "kept", steporder: "kept", stepsalike: "kept" },
  open: openServerSteps,
};
