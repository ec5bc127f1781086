// Draws a strip of heat in place of lanes that are folded: by pixel how busy they are, all together.
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import { rowsOfStrip } from "../../lib/timeline/lanes-layout";
import { classOfEvent, type WorkClass } from "../../lib/timeline/work-class";
import type { Bars } from "./bar-layer";
import { kHeatLevels } from "./colours";
import { yOf, type TimelineScene } from "./scene";

/** By pixel of the view the busy share of the strip's lanes, 0 to 1: of each lane that of its busiest row. */
export function heatOf({ scale, picture, timeline }: TimelineScene, strip: readonly number[]): Float32Array {
  const heat = new Float32Array(Math.ceil(scale.width_px));
  const ofLane = new Float32Array(heat.length);
  for (const lane of strip) {
    ofLane.fill(0);
    for (let row = 0; row < rowsOfStrip(timeline.lanes[lane]!); row++) {
      for (const { x0, x1, busy, kind } of picture.spansOf(lane, row)) {
        if (kind === "asynchronous") continue;
        const [from, to] = [Math.max(x0, 0), Math.min(x1, heat.length)];
        for (let x = from; x < to; x++) ofLane[x] = Math.max(ofLane[x]!, busy);
      }
    }
    for (let x = 0; x < heat.length; x++) heat[x]! += ofLane[x]! / strip.length;
  }
  return heat;
}

export function addStrip(bars: Bars, scene: TimelineScene, box: LaneBox): void {
  const y = Math.round(yOf(scene, box.content));
  const heat = heatOf(scene, box.strip);
  const levels = scene.colours.heat(classOfStrip(scene, box.strip));
  bars.add(scene.colours.idle, 0, y, scene.scale.width_px, box.contentHeight);
  let from = 0;
  for (let x = 1; x <= heat.length; x++) {
    if (x < heat.length && levelOf(heat[x]!) === levelOf(heat[from]!)) continue;
    const level = levelOf(heat[from]!);
    if (level > 0) bars.add(levels[level]!, from, y, x - from, box.contentHeight);
    from = x;
  }
}

/** A little is seen as well. */
function levelOf(share: number): number {
  return share <= 0 ? 0 : Math.max(Math.round(Math.sqrt(share) * kHeatLevels), 1);
}

/** The class of the lanes' work, if it is of one class. */
function classOfStrip({ timeline }: TimelineScene, strip: readonly number[]): WorkClass {
  const classes = new Set(strip.map((lane) => classOfEvent(timeline, lane, -1) ?? "other"));
  return classes.size === 1 ? [...classes][0]! : "other";
}
