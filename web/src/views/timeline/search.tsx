// The search of the timeline, in the corner above the lanes' names: hits are ticked on the lanes at any zoom; Enter
// goes from one to the next.
import { kSlowest, pickOf } from "../../lib/timeline/event-search";
import { formatCount } from "../../lib/text";
import { useCommand } from "../parts/app-context";
import { useTimeline } from "./context";
import { KeyCap } from "../parts/key-cap";
import { SearchInput, useSearchInput } from "../parts/search-input";
import { useAnswer } from "./use-answer";

export function TimelineSearch() {
  const timeline = useTimeline();
  const { input, focus } = useSearchInput();
  useCommand("timeline.search", focus);
  const isSlowest = timeline.find.value.trim() === kSlowest;
  const turnSlowest = () => {
    timeline.find.value = isSlowest ? "" : kSlowest;
    timeline.hit.value = null;
    if (isSlowest) return;
    timeline.tab.value = "search";
    timeline.hitOrder.value = { by: "dur", descending: true };
  };
  useCommand("timeline.slowest", turnSlowest);
  const hits = timeline.hits.value;
  const count = hits?.total ?? 0;
  const place = useAnswer(() => {
    const [hit, text] = [timeline.hit.value, timeline.find.value];
    return hit === null || pickOf(text) === "" ? null : (source) => source.placeInHits(text, hit);
  }, []).value;
  const at = place?.at ?? -1;
  return (
    <div class="timeline-search" role="search">
      <SearchInput
        input={input}
        placeholder="Search events"
        label="Search events; Enter goes to the next, Shift and Enter to the one before"
        text={timeline.find.value}
        onText={(text) => {
          timeline.find.value = text;
          timeline.hit.value = null;
          if (text !== "") timeline.tab.value = "search";
        }}
        onStep={timeline.steps.inHits}
      />
      {(isSlowest || timeline.find.value === "") && (
        <button
          class="quiet"
          aria-pressed={isSlowest}
          title="Highlight the longest thousandth of each name, at least its longest"
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
