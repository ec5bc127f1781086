// Matches of the whole capture, found by their rule; a click goes to one.
import { stripAnsi } from "../../lib/ansi";
import { formatCount, formatPlural, nameOfPath } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";
import { VirtualList } from "../parts/virtual-list";

const kRow_px = 22;

export function FoundMatches() {
  const { session } = useApp();
  const { find } = useRewrites();
  const { wish, value, problem } = find.matches.value;
  const contexts = session.contexts.value;
  if (problem !== null) return <p class="removed note">{problem.message}</p>;
  if (wish === null || contexts === null) {
    return <p class="dim note">Part of a file’s name, with its line, or of the rule’s source line.</p>;
  }
  const progress = find.progress.value;
  if (value === null || progress !== null) {
    return (
      <div class="note loading">
        <p class="dim">Replaying every pass of the capture, once</p>
        <progress value={progress?.done} max={progress?.of ?? 1} />
      </div>
    );
  }
  const { total, matches } = value.data;
  return (
    <>
      <p class="find-count" aria-live="polite">
        {formatPlural(total, "match", "matches")}
        {matches.state.length < total && <span class="dim"> · the first {formatCount(matches.state.length)}</span>}
      </p>
      <VirtualList
        count={matches.state.length}
        rowHeight_px={kRow_px}
        current={find.matchAt.value}
        label="Matches found"
        role="listbox"
        renderRow={(i) => {
          const context = contexts.contexts[matches.context[i]!];
          const pass = contexts.pass_names[context?.passes.name[matches.pass[i]!] ?? -1] ?? "";
          const [file, line] = contexts.locations[matches.location[i]!] ?? ["", 0];
          return (
            <div
              key={i}
              class={i === find.matchAt.value ? "hit current" : "hit"}
              role="option"
              aria-selected={i === find.matchAt.value}
              onClick={() => find.goToMatch(i)}
            >
              <span class="dim number">{formatCount(matches.state[i]!)}</span>
              {stripAnsi(context?.name ?? "")} <span class="dim">›</span> {pass}{" "}
              <span class="dim">
                {nameOfPath(file)}:{line}
              </span>
            </div>
          );
        }}
      />
    </>
  );
}
