// Operators: what PyTorch's operators and annotated ranges took, as its own key_averages() sums them up.
import { computed, signal } from "@preact/signals";
import { optionsOfScope } from "../../lib/command-line";
import type { WireOperators } from "../../lib/devices";
import { followProfile } from "../../state/asked";
import type { View } from "../view";
import { openOperators } from "./operators";

export const operators: View = {
  id: "operators",
  title: "Operators",
  words: "key_averages self cpu time aten flops memory pytorch",
  suits: (capture) => capture.has_profile,
  isOffered(app) {
    const all = followProfile<WireOperators>(app, signal(true), () => "/api/v1/operators");
    return computed(() => (all.value.value?.data.rows.length ?? 0) > 0);
  },
  commands: [],
  asCommand: ({ place, scope }) => {
    const [by, text] = [place.key("operatorsby").value, place.key("operators").value];
    const named = text ? ["--name", text] : [];
    return {
      words: [
        "operators",
        ...(by ? ["--by", by] : []),
        ...named,
        ...optionsOfScope({ ...scope.now.value, device: null, kernel: null }),
      ],
    };
  },
  urlKeys: { operators: "kept", operatorsby: "kept", operatororder: "kept" },
  open: openOperators,
};
