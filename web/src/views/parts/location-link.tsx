// A line of the compiler's source: its short name, a link that opens it in an editor, its code, and the whole location
// to copy.
import { formatEditorLink } from "../../lib/editor-link";
import { nameOfPath } from "../../lib/text";
import type { WireLocation } from "../../lib/wire";
import { useApp } from "./app-context";
import { Code } from "./code";
import { CopyButton } from "./copy-button";

export function LocationLink({ location }: { location: WireLocation }) {
  const { settings } = useApp();
  const [file, line] = location;
  const link = formatEditorLink(settings.editor.value, file, line);
  return (
    <a class="mono" href={link ?? undefined} title={`${file}:${line}`}>
      {nameOfPath(file)}:{line}
    </a>
  );
}

/** The location over its line of code. */
export function SourceLine({ location }: { location: WireLocation }) {
  const [file, line, code] = location;
  return (
    <div class="source-line">
      <div class="row">
        <LocationLink location={location} />
        <CopyButton text={() => `${file}:${line}`} label="the location" />
      </div>
      {code !== null && code.trim() !== "" && (
        <pre class="wrap">
          <Code text={code.trim()} language="python" />
        </pre>
      )}
    </div>
  );
}
