// A command's key as a small cap, beside the control that does the same.
import { findCommand, showKey } from "../../lib/keys";

/** The first key of a command. */
export function KeyCap({ command }: { command: string }) {
  const key = findCommand(command)?.keys[0];
  return key === undefined ? null : <kbd>{showKey(key)}</kbd>;
}
