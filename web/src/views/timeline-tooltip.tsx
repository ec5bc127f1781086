// What is under the pointer, beside it: for an event its name, length and the device's figures, as tinygrad's page has
// them; for what is drawn together, what it holds. A click pins it into the details, where it can be copied.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Profile } from "../lib/lanes";
import { formatBytes, liveBytesAt } from "../lib/memory";
import { formatCount, formatDuration } from "../lib/text";
import { AnsiText } from "./ansi-text";
import { formatShare } from "./timeline-heads";
import type { Hovered } from "./timeline-hover";

interface TooltipProps {
  profile: Profile;
  hovered: Hovered;
  /** The pointer, in the stage. */
  x: number;
  y: number;
}

const kAway_px = 14;

export function TimelineTooltip({ profile, hovered, x, y }: TooltipProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    const stage = element.offsetParent as HTMLElement | null;
    if (stage === null) return;
    const { offsetWidth: w, offsetHeight: h } = element;
    const right = x + kAway_px + w <= stage.clientWidth;
    const below = y + kAway_px + h <= stage.clientHeight;
    element.style.left = `${Math.max(right ? x + kAway_px : x - kAway_px - w, 4)}px`;
    element.style.top = `${Math.max(below ? y + kAway_px : y - kAway_px - h, 4)}px`;
  });
  return (
    <div ref={box} class="timeline-tooltip" role="tooltip">
      <Content profile={profile} hovered={hovered} />
    </div>
  );
}

function Content({ profile, hovered }: { profile: Profile; hovered: Hovered }) {
  const lane =
    profile.lanes[hovered.kind === "event" || hovered.kind === "allocation" ? hovered.ref.lane : hovered.lane]!;
  switch (hovered.kind) {
    case "event": {
      const { event } = hovered.ref;
      const info = profile.strings[lane.info[event]!] ?? "";
      return (
        <>
          <b>
            <AnsiText text={profile.strings[lane.label[event]!] ?? ""} />
          </b>
          <div>{formatDuration(lane.dur[event]!)}</div>
          {info !== "" && (
            <div class="dim">
              <AnsiText text={info} />
            </div>
          )}
          {lane.context[event]! >= 0 && <div class="faint">double click: its rewrites</div>}
        </>
      );
    }
    case "aggregate": {
      const { count, busy, topLabel, topShare, longest } = hovered.about;
      return (
        <>
          <b>{formatCount(count)} events in this pixel</b>
          <div class="dim">
            {formatShare(busy)} busy · {formatShare(topShare)} {profile.plain[topLabel]}
          </div>
          <div class="accent">
            longest {formatDuration(lane.dur[longest]!)} {profile.plain[lane.label[longest]!]}
          </div>
          <div class="faint">double click zooms until exact</div>
        </>
      );
    }
    case "allocation": {
      const memory = lane.memory!;
      const i = hovered.ref.allocation;
      const isFreed = memory.death[i]! !== Infinity;
      const life = Math.min(memory.death[i]!, profile.dur_ns) - memory.birth[i]!;
      return (
        <>
          <b>{formatBytes(memory.size_bytes[i]!)}</b>
          <div>
            {profile.plain[memory.dtype[i]!]} × {formatCount(memory.count[i]!)}
          </div>
          <div class="dim">buffer {memory.key[i]}</div>
          <div class="dim">
            {isFreed ? "alive for" : "alive to the end,"} {formatDuration(life)}
          </div>
          <div class="dim">{formatShare(memory.size_bytes[i]! / Math.max(memory.peak_bytes, 1))} of the peak</div>
        </>
      );
    }
    case "memory": {
      const memory = lane.memory!;
      const live = liveBytesAt(memory, hovered.at_ns);
      return (
        <>
          <b>{formatBytes(live)} live</b>
          <div class="dim">
            {formatShare(live / Math.max(memory.peak_bytes, 1))} of the peak, {formatBytes(memory.peak_bytes)}
          </div>
        </>
      );
    }
  }
}
