// Programs that are not installed and would show more, with the packages that bring them.
import type { WireCode } from "./code";

export function MissingTools({ tools }: { tools: WireCode["missing"] }) {
  if (tools.length === 0) return null;
  return (
    <ul class="missing-tools">
      {tools.map((tool) => (
        <li key={tool.program}>
          <code>{tool.program}</code> is not installed; it would bring {tool.brings}. Debian's package:{" "}
          <code>{tool.package}</code>
        </li>
      ))}
    </ul>
  );
}
