// Takes the lanes on screen away as a picture.
import type { ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { drawLanesAsPng } from "../../draw/timeline/picture";
import type { TimelineScene } from "../../draw/timeline/scene";
import { nameFile } from "../../lib/file-name";
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import { nameOfMemory, type Timeline } from "../../lib/timeline/timeline";
import { useApp, useCommand } from "../parts/app-context";
import { saveFile } from "../parts/save-file";
import { linesBeside } from "./heads";

export function useLanesPicture(
  base: RefObject<HTMLCanvasElement | null>,
  over: RefObject<HTMLCanvasElement | null>,
  scene: ReadonlySignal<TimelineScene | null>,
): void {
  const { session, notices } = useApp();
  const save = async () => {
    const shown = scene.peek();
    if (shown === null || base.current === null || over.current === null) return;
    const image = await drawLanesAsPng(shown, [base.current, over.current], (box) => namesOf(shown.timeline, box));
    if (image !== null) saveFile(`${nameFile(session.capture.peek()?.name ?? "", "lanes")}.png`, image);
    else notices.show("picture", { kind: "memory", message: "The browser has no room for this picture." });
  };
  useCommand("timeline.png", () => void save());
}

function namesOf({ lanes, dur_ns }: Timeline, box: LaneBox): string[] {
  if (box.kind === "heading") return [lanes[box.track]?.name ?? ""];
  const lane = lanes[box.lane]!;
  const counter = lane.counters[box.counter];
  const name = counter?.name ?? (box.kind === "memory" ? nameOfMemory(lane.name) : lane.name);
  return [name, ...linesBeside(box, lane, dur_ns)];
}
