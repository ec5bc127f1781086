// How views reach the App, and how they answer commands.
import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import type { App } from "../../state/app";
import type { Handler } from "../../state/commands";

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error("a view is drawn outside of the App");
  return app;
}

/**
 * Answers a command while the component is on screen, from the moment it is. A handler that has nothing to do returns
 * false: then what is under the component answers.
 */
export function useCommand(id: string, run: Handler): void {
  const { commands } = useApp();
  const latest = useRef(run);
  latest.current = run;
  useLayoutEffect(() => commands.bind(id, () => latest.current()), [commands, id]);
}
