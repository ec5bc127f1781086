// What launched work of a device, by what each frame is.
import type { LaunchFrame } from "./events";

const kModule = "nn.Module: ";

export interface SortedFrames {
  call: LaunchFrame[];
  operators: LaunchFrame[];
  modules: LaunchFrame[];
  /** A range that the program marked. */
  ranges: LaunchFrame[];
  /** Functions of Python, without those that are modules. */
  stack: LaunchFrame[];
  others: LaunchFrame[];
}

/** Each part the innermost first; of modules the word that says so is left out. */
export function sortFrames(frames: readonly LaunchFrame[]): SortedFrames {
  const sorted: SortedFrames = { call: [], operators: [], modules: [], ranges: [], stack: [], others: [] };
  for (const frame of frames) {
    const { item, role, category } = frame;
    if (role === "call") sorted.call.push(frame);
    else if (role === "operator") sorted.operators.push(frame);
    else if (category === "user_annotation") sorted.ranges.push(frame);
    else if (category !== "python_function") sorted.others.push(frame);
    else if (!item.label.startsWith(kModule)) sorted.stack.push(frame);
    else sorted.modules.push({ ...frame, item: { ...item, label: item.label.slice(kModule.length) } });
  }
  return sorted;
}
