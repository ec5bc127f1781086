// Values: the tensors that a program logged as it ran, and how far each is from a reference.
import type { View } from "../view";
import { openValues } from "./values";

export const values: View = {
  id: "values",
  title: "Values",
  words: "tensors accuracy gaps nan",
  suits: (capture) => capture.tells_values,
  commands: [],
  // How far the values of another capture are from this one's, where one is compared with.
  asCommand: ({ place, session }) => {
    const captures = session.info.value?.captures ?? [];
    const other = captures.find(({ name }) => name === place.key("valuesof").value);
    const here = session.capture.value;
    return other === undefined || here === null ? null : { words: ["compare", "--values"], captures: [other, here] };
  },
  urlKeys: { value: "kept", slice: "kept", iteration: "kept", valuesof: "kept" },
  open: openValues,
};
