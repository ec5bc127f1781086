// The line under the lanes' names (how many show, how many do not), and the panel it opens: every lane with a switch to
// show, pin and move it, a filter, and a way to go to one.
import { useSignal } from "@preact/signals";
import { isAskedFor } from "../../lib/timeline/lanes-arrange";
import { listBoxes, type LaneLayout } from "../../lib/timeline/lanes-layout";
import { formatPlural } from "../../lib/text";
import type { LaneInfo } from "../../lib/timeline/timeline";
import { useCommand } from "../parts/app-context";
import { useTimeline } from "./context";
import { KeyCap } from "../parts/key-cap";
import { Overlay } from "../parts/overlay";

interface LanesFootProps {
  layout: LaneLayout;
  /** Scrolls to a box. */
  onShow: (key: string) => void;
}

export function LanesFoot({ layout, onShow }: LanesFootProps) {
  const timeline = useTimeline();
  const isOpen = useSignal(false);
  useCommand("timeline.lanes", () => (isOpen.value = true));
  const { hiddenCount, filteredCount } = layout;
  const shown = layout.boxes.filter((box) => box.kind !== "heading").length;
  const lanes = timeline.source.value?.timeline.lanes;
  return (
    <>
      <button class="lanes-foot" title="Show, hide, pin and find lanes" onClick={() => (isOpen.value = true)}>
        <span>{formatPlural(shown, "lane")}</span>
        {hiddenCount > 0 && <span class="marker">{hiddenCount} hidden</span>}
        {filteredCount > 0 && <span class="marker">{filteredCount} filtered out</span>}
        <span class="spacer" />
        <KeyCap command="timeline.lanes" />
      </button>
      {isOpen.value && lanes !== undefined && (
        <LanesPanel all={lanes} onShow={onShow} onClose={() => (isOpen.value = false)} />
      )}
    </>
  );
}

interface LanesPanelProps {
  all: readonly LaneInfo[];
  onShow: (key: string) => void;
  onClose: () => void;
}

function LanesPanel({ all, onShow, onClose }: LanesPanelProps) {
  const { lanes } = useTimeline();
  const wanted = lanes.now.value;
  const pinned = new Set(wanted.pinned);
  const query = useSignal(wanted.only);
  const boxes = listBoxes(all);
  const found = boxes.filter((box) => isAskedFor(box, query.value));
  const goTo = (box: (typeof boxes)[number]) => {
    lanes.uncover(box);
    onClose();
    onShow(box.key);
  };
  return (
    <Overlay label="Lanes" onClose={onClose}>
      <div class="lanes-panel">
        <input
          type="text"
          placeholder="Find a lane"
          aria-label="Find a lane; Enter goes to the first"
          autofocus
          spellcheck={false}
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && found[0] !== undefined) goTo(found[0]);
          }}
        />
        <ul data-scrolls>
          {found.map((box) => (
            <li key={box.key}>
              <label>
                <input type="checkbox" checked={!wanted.hidden.has(box.key)} onChange={() => lanes.hide(box.key)} />
                {box.title}
              </label>
              <button class="quiet" aria-pressed={pinned.has(box.key)} onClick={() => lanes.pin(box.key)}>
                {pinned.has(box.key) ? "unpin" : "pin"}
              </button>
              <button class="quiet" onClick={() => goTo(box)}>
                go to
              </button>
            </li>
          ))}
          {found.length === 0 && <li class="dim">No lane has this in its name.</li>}
        </ul>
        <footer>
          <button disabled={query.value === wanted.only} onClick={() => lanes.showOnly(query.value)}>
            {query.value === "" ? "Show all names" : `Show only “${query.value}”`}
          </button>
          <span class="spacer" />
          <button class="quiet" onClick={() => lanes.reset()}>
            as at first
          </button>
          <button class="quiet" onClick={onClose}>
            close <kbd>Esc</kbd>
          </button>
        </footer>
      </div>
    </Overlay>
  );
}
