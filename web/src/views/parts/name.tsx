// The name of a kernel or an event in a list: folded to what tells it from its neighbours (lib/kernel-name.ts), and cut
// in the middle where there is little room. The whole name is there on hover, and goes into what is copied.
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useMemo } from "preact/hooks";
import { cutRuns, lengthOfRuns, parseAnsi, stripAnsi } from "../../lib/ansi";
import { shortenName, shortenNames } from "../../lib/kernel-name";
import { AnsiRuns } from "./ansi-text";

const NeighbourTexts = createContext<ReadonlyMap<string, string>>(new Map());

interface NeighboursProps {
  names: readonly string[];
  children: ComponentChildren;
}

/** Shortens these names so that no two that differ look the same in there. */
export function Neighbours({ names, children }: NeighboursProps) {
  const texts = useMemo(() => shortenNames(names), [names]);
  return <NeighbourTexts.Provider value={texts}>{children}</NeighbourTexts.Provider>;
}

/** So much of its end stays, where a name is cut. */
const kEnd = 20;

export function Name({ name }: { name: string }) {
  const runs = parseAnsi(useContext(NeighbourTexts).get(name) ?? shortenName(name));
  const start = lengthOfRuns(runs) - kEnd;
  const [head, end] = start > kEnd ? cutRuns(runs, start) : [runs, []];
  const whole = stripAnsi(name);
  return (
    <span class="cut-name" title={whole} data-name={whole}>
      <span class="cut-name-head">
        <AnsiRuns runs={head} />
      </span>
      {end.length > 0 && (
        <span class="cut-name-end">
          <AnsiRuns runs={end} />
        </span>
      )}
    </span>
  );
}

/** Names are copied whole. */
export function useWholeNamesCopied(): void {
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      const selection = getSelection();
      if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return;
      const text = readWithWholeNames(selection.getRangeAt(0));
      if (text === null) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    };
    document.addEventListener("copy", onCopy);
    return () => document.removeEventListener("copy", onCopy);
  }, []);
}

/** Null where there is no name in the range. */
function readWithWholeNames(range: Range): string | null {
  const { commonAncestorContainer: ancestor } = range;
  const element = ancestor instanceof HTMLElement ? ancestor : ancestor.parentElement;
  const around = element?.closest<HTMLElement>("[data-name]");
  if (around) return around.dataset.name!;
  // Off the screen, but laid out: lines end where they do on it.
  const copy = document.createElement("div");
  copy.className = "copied";
  copy.append(range.cloneContents());
  const names = copy.querySelectorAll<HTMLElement>("[data-name]");
  if (names.length === 0) return null;
  for (const each of names) each.replaceWith(each.dataset.name!);
  document.body.append(copy);
  const text = copy.innerText;
  copy.remove();
  return text;
}
