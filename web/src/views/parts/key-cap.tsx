// A command's key as a small cap, beside the control that does the same.
import { showKey } from "../../lib/keys";
import { useApp } from "./app-context";

/** The first key of a command. */
export function KeyCap({ command }: { command: string }) {
  const { commands } = useApp();
  const key = commands.find(command)?.keys[0];
  return key === undefined ? null : <kbd>{showKey(key)}</kbd>;
}
