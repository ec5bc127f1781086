// The scope as chips: the part of the work that all figures on screen are of. A click on a chip, or Escape, takes it
// away; a step or a stretch of time leaves from here as a trace.
import { sayPart, type ScopePart } from "../../lib/scope";
import { pathOfTrace, type TraceFormat } from "../../lib/trace-file";
import { useApp, useCommand } from "../parts/app-context";
import { saveLink } from "../parts/save-file";

const kHints: Record<ScopePart, string> = {
  step: "All figures are of this step only",
  rank: "All figures are of this rank only",
  device: "All figures are of this device only",
  range: "All figures are of this time range only; times count from the profile's start",
  kernel: "All figures are of this kernel only",
};

export function ScopeChips() {
  const { api, scope } = useApp();
  const parts = scope.parts.value;
  useCommand("scope.clear", () => parts.length > 0 && scope.clear());
  const { step, range } = scope.now.value;
  if (parts.length === 0) return null;
  return (
    <div class="scope" role="group" aria-label="Scope">
      {parts.map((part) => {
        const text = sayPart(scope.now.value, part);
        return (
          <button
            key={part}
            class={`scope-chip of-${part}`}
            title={`${text}. ${kHints[part]}. Click to remove it; Esc removes the one chosen last.`}
            aria-label={`Remove ${text} from the scope`}
            onClick={() => scope.set({ [part]: null })}
          >
            <span>{text}</span> <span class="dim">×</span>
          </button>
        );
      })}
      {(step !== null || range !== null) && api.report === undefined && <SaveTrace />}
    </div>
  );
}

function SaveTrace() {
  const { scope, session } = useApp();
  const capture = session.capture.value;
  const save = (format: TraceFormat) => {
    if (capture !== null) saveLink(pathOfTrace(capture, scope.now.peek(), format));
  };
  useCommand("scope.savePerfetto", () => save("pftrace"));
  useCommand("scope.saveChrome", () => save("chrome"));
  useCommand("scope.saveNative", () => save("bin"));
  return (
    <button
      class="scope-save"
      title={`Export ${scope.text.value} as a trace for Perfetto; the palette has other formats`}
      onClick={() => save("pftrace")}
    >
      Export
    </button>
  );
}
