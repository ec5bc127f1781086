// The search of the timeline, in the corner above the lanes' names: hits are struck on the lanes at any zoom; Enter steps
// through them.
import { useRef } from "preact/hooks";
import { kSlowest, pinOf } from "../lib/event-search";
import { formatCount } from "../lib/text";
import { useApp, useCommand } from "./app-context";
import { KeyCap } from "./key-cap";
import { useAnswer } from "./use-answer";

export function TimelineSearch() {
  const { timeline } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const focus = () => {
    input.current?.focus();
    input.current?.select();
  };
  useCommand("page.search", focus);
  useCommand("timeline.search", focus);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") timeline.steps.inHits(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      timeline.find.value = "";
      input.current?.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isSlowest = timeline.find.value.trim() === kSlowest;
  const turnSlowest = () => {
    timeline.find.value = isSlowest ? "" : kSlowest;
    timeline.hit.value = null;
    if (!isSlowest) timeline.tab.value = "search";
  };
  useCommand("timeline.slowest", turnSlowest);
  const hits = timeline.hits.value;
  const count = hits?.total ?? 0;
  const place = useAnswer(() => {
    const [hit, text] = [timeline.hit.value, timeline.find.value];
    return hit === null || pinOf(text) === "" ? null : (source) => source.placeInHits(text, hit);
  }, []).value;
  const at = place?.at ?? -1;
  return (
    <div class="timeline-search" role="search">
      <input
        ref={input}
        type="text"
        placeholder="Search events"
        aria-label="Search events; Enter steps to the next, Shift and Enter to the last"
        spellcheck={false}
        value={timeline.find.value}
        onInput={(event) => {
          timeline.find.value = event.currentTarget.value;
          timeline.hit.value = null;
          if (timeline.find.value !== "") timeline.tab.value = "search";
        }}
        onKeyDown={onKeyDown}
      />
      {(isSlowest || timeline.find.value === "") && (
        <button
          class="quiet"
          aria-pressed={isSlowest}
          title="Tick the longest thousandth of each name, at least its longest"
          onClick={turnSlowest}
        >
          slowest
        </button>
      )}
      {timeline.find.value === "" ? (
        <KeyCap command="page.search" />
      ) : (
        <span class={hits !== null && count === 0 ? "none" : "dim"} aria-live="polite">
          {hits === null ? "…" : at >= 0 ? `${formatCount(at + 1)} / ${formatCount(count)}` : formatCount(count)}
        </span>
      )}
    </div>
  );
}
