// Values: the tensors that a program logged as it ran, and how far each is from a reference.
import type { View } from "../view";

export const values: View = {
  id: "values",
  title: "Values",
  suits: (capture) => capture.tells_values,
  commands: [],
  urlKeys: { value: "kept", slice: "kept", iteration: "kept", valuesof: "kept" },
  load: async () => (await import("./values")).openValues,
};
