// The map of the whole graph, where not all of it is in view: where one is, where the match changed something; a press
// leads there.
import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sizeCanvas } from "../../draw/canvas";
import { drawMinimap, placeOnMap } from "../../draw/graph/minimap";
import { viewedRect } from "../../lib/camera";
import { useApp } from "../parts/app-context";
import { usePalette } from "../parts/use-palette";
import { useRewrites } from "./context";

const kMost = { width: 200, height: 110 };
/** The least height of the map, for a graph that is one long line. */
const kLeast_px = 14;

export function Minimap() {
  const { graph, camera } = useRewrites();
  const isNeeded = useComputed(() => graph.shown.value !== null && !camera.showsAll());
  return isNeeded.value ? <Map /> : null;
}

function Map() {
  const { theme } = useApp();
  const { graph, camera } = useRewrites();
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette();
  const size = useComputed(() => {
    const { width = 1, height = 1 } = graph.shown.value?.layout ?? {};
    const scale = Math.min(kMost.width / width, kMost.height / height);
    return {
      width: Math.round(Math.max(width * scale, kLeast_px)),
      height: Math.round(Math.max(height * scale, kLeast_px)),
    };
  });
  const place = useComputed(() => {
    const [shown, view] = [graph.shown.value, camera.camera.value];
    if (shown === null || view === null) return null;
    const map = placeOnMap(shown.layout, size.value);
    const seen = viewedRect(view, camera.size.value);
    const clip = (px: number, most: number) => Math.min(Math.max(px, 0), most);
    const clipX = (x: number) => clip(map.left + x * map.scale, size.value.width);
    const clipY = (y: number) => clip(map.top + y * map.scale, size.value.height);
    const [x0, x1, y0, y1] = [clipX(seen.left), clipX(seen.right), clipY(seen.top), clipY(seen.bottom)];
    return { left: `${x0}px`, top: `${y0}px`, width: `${Math.max(x1 - x0, 3)}px`, height: `${Math.max(y1 - y0, 3)}px` };
  });
  useSignalEffect(() => {
    const shown = graph.shown.value;
    void theme.shown.value;
    const element = canvas.current;
    if (shown === null || element === null) return;
    const { width, height } = size.value;
    const context = element.getContext("2d")!;
    const ratio = sizeCanvas(element, width, height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { loaded, layout, state, changes } = shown;
    drawMinimap(context, { model: loaded.model, layout, state, changes, palette: palette(), width, height });
  });
  useEffect(() => {
    const element = canvas.current!;
    const go = (event: PointerEvent) => {
      const [layout, view] = [graph.shown.peek()?.layout, camera.camera.peek()];
      if (layout === undefined || view === null) return;
      const { left, top } = element.getBoundingClientRect();
      const map = placeOnMap(layout, size.peek());
      const [x, y] = [event.clientX - left - map.left, event.clientY - top - map.top];
      camera.move({ ...view, x: x / map.scale, y: y / map.scale });
    };
    const onDown = (event: PointerEvent) => {
      element.setPointerCapture(event.pointerId);
      go(event);
    };
    const onMove = (event: PointerEvent) => element.hasPointerCapture(event.pointerId) && go(event);
    element.addEventListener("pointerdown", onDown);
    element.addEventListener("pointermove", onMove);
    return () => {
      element.removeEventListener("pointerdown", onDown);
      element.removeEventListener("pointermove", onMove);
    };
  }, [graph, camera, size]);
  const { width, height } = size.value;
  return (
    <div class="minimap" style={{ width: `${width}px`, height: `${height}px` }}>
      <canvas ref={canvas} role="img" aria-label="Map of the whole graph; a press leads there" />
      {place.value !== null && <i style={place.value} aria-hidden="true" />}
    </div>
  );
}
