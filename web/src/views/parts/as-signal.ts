// A property as a signal, so that what is computed from it follows when the parent gives another.
import { useSignal, type ReadonlySignal } from "@preact/signals";

export function useAsSignal<T>(value: T): ReadonlySignal<T> {
  const latest = useSignal(value);
  if (latest.peek() !== value) latest.value = value;
  return latest;
}
