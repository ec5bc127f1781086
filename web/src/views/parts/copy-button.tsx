// Copies a text, and says that it did.
import { useSignal } from "@preact/signals";

interface CopyButtonProps {
  text: () => string;
  /** Names the text that is copied, for screen readers and the tooltip. */
  label: string;
}

const kSaid_ms = 1200;

export function CopyButton({ text, label }: CopyButtonProps) {
  const { said, copy } = useCopy(text);
  return (
    <button class="copy" title={`Copy ${label}`} aria-label={`Copy ${label}`} onClick={copy}>
      {said ?? "copy"}
    </button>
  );
}

/** A click that copies; `said` tells for a moment how that went. */
export function useCopy(text: () => string): { said: string | null; copy: () => void } {
  const said = useSignal<string | null>(null);
  const write = async () => {
    try {
      await navigator.clipboard.writeText(text());
      said.value = "copied";
    } catch {
      said.value = "refused"; // plain http from another machine: browsers give no clipboard there
    }
    setTimeout(() => (said.value = null), kSaid_ms);
  };
  return { said: said.value, copy: () => void write() };
}
