// The lanes' names at the left, with what each holds: busy share, overlaps laid lower, a counter's range, peak of
// memory. A click on a name makes the table that of its lane, of a memory it leads to who held it; its chevron folds the
// rows or makes the plot large, and back; a drag moves the lane; beside the name it can be pinned and hidden.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatValues } from "../../lib/timeline/counter";
import { findBoxes, type LaneBox, type LaneLayout } from "../../lib/timeline/lanes-layout";
import { formatBytes } from "../../lib/bytes";
import { linkToMemory } from "../../lib/links";
import { isNamedMemory, type LaneInfo, type Timeline } from "../../lib/timeline/timeline";
import { formatCount, formatPlural, formatShare } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { useTimeline } from "./context";
import { stuckHeight } from "./drawing";

interface HeadsProps {
  shown: Timeline;
  layout: LaneLayout;
  scroll_px: number;
  /** The height of the part of the lanes that is seen. */
  height_px: number;
}

export function TimelineHeads({ shown, layout, scroll_px, height_px }: HeadsProps) {
  const timeline = useTimeline();
  const { boxes } = layout;
  const stuck_px = stuckHeight(layout.pinned_px, height_px);
  const [, stuck] = findBoxes(boxes, 0, stuck_px);
  const [from, to] = findBoxes(boxes, scroll_px + stuck_px, scroll_px + height_px);
  /** Key of the box before which a dragged one would come to stand; "" is the end. */
  const target = useSignal<string | null>(null);
  const list = useRef<HTMLDivElement>(null);

  const boxAt = (clientY: number) => {
    const y = clientY - list.current!.getBoundingClientRect().top;
    const shownAt = y - scroll_px < stuck_px ? y - scroll_px : y;
    return boxes.find((box) => shownAt < box.top + box.height / 2);
  };
  const drop = (key: string) => {
    const before = target.value === "" ? null : target.value;
    const keys = boxes.filter((box) => box.kind !== "heading").map((box) => box.key);
    if (target.value !== null) timeline.lanes.moveBefore(keys, key, before);
    target.value = null;
  };
  const step = (key: string, by: 1 | -1) => {
    const keys = boxes.filter((box) => box.kind !== "heading").map((box) => box.key);
    const at = keys.indexOf(key);
    const before = by < 0 ? keys[at - 1] : keys[at + 2];
    if (by > 0 || before !== undefined) timeline.lanes.moveBefore(keys, key, before ?? null);
  };
  const draw = (box: LaneBox) =>
    box.kind === "heading" ? (
      <Heading key={box.key} box={box} track={shown.lanes[box.track]!} />
    ) : (
      <Head
        key={box.key}
        box={box}
        lane={shown.lanes[box.lane]!}
        dur_ns={shown.dur_ns}
        isTarget={target.value === box.key}
        onDrag={(clientY) => (target.value = boxAt(clientY)?.key ?? "")}
        onDrop={() => drop(box.key)}
        onStep={(by) => step(box.key, by)}
      />
    );
  return (
    <div class="lane-heads" ref={list}>
      {stuck > 0 && <div class="stuck-heads">{boxes.slice(0, stuck).map(draw)}</div>}
      {boxes.slice(Math.max(from, stuck), to).map(draw)}
    </div>
  );
}

/** The head of a track that others stand under. Its chevron folds them away; so do the arrow keys, as in any tree. */
function Heading({ box, track }: { box: LaneBox; track: LaneInfo }) {
  const { lanes } = useTimeline();
  const { depth, isFolded, boxCount } = box;
  return (
    <button
      class="track-heading"
      style={{ top: `${box.top}px`, height: `${box.height}px`, "--depth": depth }}
      aria-expanded={!isFolded}
      title={[track.title, track.kind, `${isFolded ? "Unfold" : "Fold"} it; the arrow keys do so too`]
        .filter((line) => line !== "")
        .join("\n")}
      onClick={() => lanes.fold(track.path)}
      onKeyDown={(event) => {
        if (event.key !== (isFolded ? "ArrowRight" : "ArrowLeft")) return;
        lanes.fold(track.path);
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <span class="chevron" aria-hidden="true">
        {isFolded ? "▸" : "▾"}
      </span>
      <span class="track-name">{track.name}</span>
      {isFolded && <span class="dim">{formatPlural(boxCount, "lane")}</span>}
    </button>
  );
}

interface HeadProps {
  box: LaneBox;
  lane: LaneInfo;
  dur_ns: number;
  /** Whether what is dragged would come to stand before it. */
  isTarget: boolean;
  onDrag: (clientY: number) => void;
  onDrop: () => void;
  onStep: (by: 1 | -1) => void;
}

const kDragFrom_px = 5;
const kHowToMemory = "Click: who held it. Drag, or Alt and an arrow key: move.";
const kHowTo = "Click: the table of this lane alone. Drag, or Alt and an arrow key: move.";
/** A lower head has room for one line under its name. */
const kTwoLines_px = 48;
const kOverlapping = "Events that overlap others without lying inside them are drawn in rows further down.";

function Head({ box, lane, dur_ns, isTarget, onDrag, onDrop, onStep }: HeadProps) {
  const timeline = useTimeline();
  const drag = useRef<{ y: number; began: boolean } | null>(null);
  const { key } = box;
  const isTurned = timeline.lanes.now.value.turned.has(key);
  const isOpen = box.kind === "events" ? !box.isFolded : isTurned;
  const isPinned = timeline.lanes.now.value.pinned.includes(key);
  const { isFolded } = box;
  const scope = timeline.area.value;
  const isScope = scope !== null && scope.lanes.length === 1 && scope.lanes[0] === box.lane;
  const { place } = useApp();
  const turnScope = () => {
    if (box.kind === "memory") return place.follow(linkToMemory(lane.path));
    timeline.area.value = isScope ? null : { range: scope?.range ?? timeline.bounds.value, lanes: [box.lane] };
    timeline.tab.value = "range";
  };
  const lines = linesBeside(box, lane, dur_ns);
  return (
    <div
      class={`lane-head ${isTarget ? "target" : ""}`}
      style={{ top: `${box.top}px`, height: `${box.height}px`, "--depth": box.depth }}
      onPointerDown={(event) => {
        if (event.button === 0) drag.current = { y: event.clientY, began: false };
      }}
      onPointerMove={(event) => {
        if (drag.current === null) return;
        drag.current.began ||= Math.abs(event.clientY - drag.current.y) >= kDragFrom_px;
        if (!drag.current.began) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        onDrag(event.clientY);
      }}
      onPointerUp={() => {
        if (drag.current?.began) onDrop();
        drag.current = null;
      }}
      onPointerCancel={() => (drag.current = null)}
    >
      <button
        class="lane-chevron"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? "Smaller" : "Larger"}: ${key}`}
        title={isOpen ? "Make it smaller" : "Make it larger"}
        onClick={() => (box.kind === "events" && !isTurned ? timeline.lanes.fold(key) : timeline.lanes.turn(key))}
      >
        {isOpen ? "▾" : "▸"}
      </button>
      <button
        class="lane-main"
        aria-pressed={isScope}
        title={titleOf(box, lane, lines)}
        onClick={turnScope}
        onKeyDown={(event) => {
          if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
          onStep(event.key === "ArrowUp" ? -1 : 1);
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <LaneName box={box} lane={lane} />
        {!isFolded &&
          lines.slice(0, box.height < kTwoLines_px ? 1 : lines.length).map((line) => (
            <span key={line} class="lane-note">
              {line}
            </span>
          ))}
      </button>
      <span class={`lane-tools ${isPinned ? "pinned" : ""}`}>
        <button aria-pressed={isPinned} aria-label={`Pin ${key}`} onClick={() => timeline.lanes.pin(key)}>
          {isPinned ? "unpin" : "pin"}
        </button>
        <button aria-label={`Hide ${key}`} onClick={() => timeline.lanes.hide(key)}>
          hide
        </button>
      </span>
    </div>
  );
}

function titleOf(box: LaneBox, lane: LaneInfo, lines: readonly string[]): string {
  const overlapping = box.kind === "events" && lane.relaned > 0 ? [kOverlapping] : [];
  return [lane.title, ...lines, ...overlapping, box.kind === "memory" ? kHowToMemory : kHowTo].join("\n");
}

function LaneName({ box, lane }: { box: LaneBox; lane: LaneInfo }) {
  const counter = lane.counters[box.counter];
  return (
    <span class="lane-name">
      {counter?.name ?? lane.name}
      {counter !== undefined && <span class="dim"> {lane.name}</span>}
      {box.kind === "memory" && !isNamedMemory(lane.name) && <span class="dim"> memory</span>}
    </span>
  );
}

/** The line under a box's name. */
export function linesBeside(box: LaneBox, lane: LaneInfo, dur_ns: number): string[] {
  const counter = lane.counters[box.counter];
  if (counter !== undefined) return [formatValues(counter, counter.unit)];
  return box.kind === "memory" ? describeMemory(lane) : describeEvents(lane, dur_ns);
}

function describeEvents(lane: LaneInfo, dur_ns: number): string[] {
  // For a device's lane, the time in which it did something, not the time in which a range was open that the program
  // marked.
  const busy = dur_ns > 0 ? (lane.work?.busy_ns ?? lane.busy_ns) / dur_ns : 0;
  const overlap = lane.relaned > 0 ? ` · ${formatCount(lane.relaned)} overlap` : "";
  if (lane.isOfReplays === true) return [formatPlural(lane.eventCount, "span")];
  return [`busy ${formatShare(busy)}${overlap === "" ? ` · ${formatPlural(lane.eventCount, "event")}` : overlap}`];
}

function describeMemory(lane: LaneInfo): string[] {
  const { peak_bytes, height_bytes, end_bytes, unlisted_bytes } = lane.memory!;
  const before = unlisted_bytes ?? 0;
  if (before > 0) {
    const held = `peak ${formatBytes(peak_bytes + before)}, ${formatBytes(before)} of it from before`;
    return [held, `alive at end ${formatBytes(end_bytes + before)}`];
  }
  const packed = height_bytes > peak_bytes ? ` · packed ${formatBytes(height_bytes)}` : "";
  return [`peak ${formatBytes(peak_bytes)}${packed}`, `alive at end ${formatBytes(end_bytes)}`];
}
