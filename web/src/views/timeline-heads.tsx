// The lanes' names at the left, with what each holds: busy share, overlaps laid lower, peak of memory. A click makes the
// rows thin or the memory large, and back.
import type { Lane, Profile } from "../lib/lanes";
import { findBoxes, keyOfBox, kRowPitch_px, type LaneBox } from "../lib/lanes-layout";
import { formatBytes } from "../lib/memory";
import { formatCount, formatPlural } from "../lib/text";
import { useApp } from "./app-context";

interface HeadsProps {
  profile: Profile;
  boxes: readonly LaneBox[];
  scroll_px: number;
  height_px: number;
}

export function TimelineHeads({ profile, boxes, scroll_px, height_px }: HeadsProps) {
  const [from, to] = findBoxes(boxes, scroll_px, scroll_px + height_px);
  return (
    <>
      {boxes.slice(from, to).map((box) => (
        <Head key={`${box.lane} ${box.kind}`} box={box} lane={profile.lanes[box.lane]!} dur_ns={profile.dur_ns} />
      ))}
    </>
  );
}

function Head({ box, lane, dur_ns }: { box: LaneBox; lane: Lane; dur_ns: number }) {
  const { timeline } = useApp();
  const key = keyOfBox(lane.name, box.kind);
  const isOpen = box.kind === "memory" ? timeline.turned.value.has(key) : box.pitch === kRowPitch_px;
  const lines = box.kind === "memory" ? describeMemory(lane) : describeEvents(lane, dur_ns);
  return (
    <button
      class="lane-head"
      style={{ top: `${box.top}px`, height: `${box.height}px` }}
      aria-expanded={isOpen}
      title={[key, ...lines].join("\n")}
      onClick={() => timeline.toggleBox(key)}
    >
      <span class="lane-name">
        {lane.name}
        {box.kind === "memory" && <span class="dim"> memory</span>}
      </span>
      {lines.map((line) => (
        <span key={line} class="lane-note">
          {line}
        </span>
      ))}
    </button>
  );
}

function describeEvents(lane: Lane, dur_ns: number): string[] {
  const busy = dur_ns > 0 ? lane.busy_ns / dur_ns : 0;
  const relaned = lane.relaned > 0 ? `${formatCount(lane.relaned)} re-laned` : formatPlural(lane.start.length, "event");
  return [`busy ${formatShare(busy)} · ${relaned}`];
}

function describeMemory(lane: Lane): string[] {
  const { peak_bytes, height_bytes, end_bytes } = lane.memory!;
  const packed = height_bytes > peak_bytes ? ` · packed ${formatBytes(height_bytes)}` : "";
  return [`peak ${formatBytes(peak_bytes)}${packed}`, `alive at end ${formatBytes(end_bytes)}`];
}

/** "71.3 %"; what is not nothing never reads as nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  return `${(share * 100).toFixed(1)} %`;
}
