// In the place of rows where there are none: that there is none, that the capture cannot know and what to record it
// with, or that it lies outside of the scope.
import { useEffect } from "preact/hooks";
import { sayNothing, type Recordable } from "../../lib/nothing";
import { useApp } from "./app-context";

interface NothingProps {
  /** What the rows are made of. */
  of: Recordable;
  /** What it means where there is none. */
  none: string;
  /** Whether the rows are of the scope. */
  isScoped?: boolean;
}

export function Nothing({ of, none, isScoped = true }: NothingProps) {
  const { recorded, scope } = useApp();
  useEffect(recorded.want, [recorded]);
  return <>{sayNothing(recorded.now.value, of, isScoped ? scope.text.value : "", none)}</>;
}
