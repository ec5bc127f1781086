// Values: the tensors that a program logged as it ran, and how far each is from a reference.
import type { View } from "../view";
import { openValues } from "./values";

export const values: View = {
  id: "values",
  title: "Values",
  words: "tensors accuracy gaps nan",
  suits: (capture) => capture.tells_values,
  commands: [],
  urlKeys: { value: "kept", slice: "kept", iteration: "kept", valuesof: "kept" },
  open: openValues,
};
