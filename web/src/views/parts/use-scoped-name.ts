// The name of a file that holds figures: with the scope that they are of.
import { useApp } from "./app-context";

export function useScopedName(name: string): string {
  const text = useApp().scope.text.value;
  return text === "" ? name : `${name} of ${text}`;
}
