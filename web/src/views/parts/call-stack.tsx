// A stack of calls, the innermost first: each frame's function, and its line as a link that opens it in an editor.
import type { StackFrame } from "../../lib/timeline/arguments";
import { LocationLink } from "./location-link";

export function CallStack({ frames }: { frames: readonly StackFrame[] }) {
  return (
    <ol class="call-stack">
      {frames.map(({ file, line, name, code }, i) => (
        <li key={i}>
          {file !== "" && <LocationLink location={[file, line, code]} />} <code>{name}</code>
          {code !== null && code.trim() !== "" && <code class="dim"> {code.trim()}</code>}
        </li>
      ))}
    </ol>
  );
}
