// The hooks of a canvas that draws a scene: as wide as the view, drawn anew when what it shows changes, at most once a frame.
import { effect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { createFrameLoop, sizeCanvas } from "../../draw/canvas";

type CanvasRef = { current: HTMLCanvasElement | null };

/** Says the width of the view that holds the canvas, in CSS pixels, now and when it changes. */
export function useWidth(canvas: CanvasRef, onWidth: (width_px: number) => void): void {
  const latest = useRef(onWidth);
  latest.current = onWidth;
  useEffect(() => {
    const box = canvas.current!.parentElement!;
    const observer = new ResizeObserver(() => latest.current(box.clientWidth));
    observer.observe(box);
    return () => observer.disconnect();
  }, [canvas]);
}

interface Drawing<Scene> {
  scene: ReadonlySignal<Scene | null>;
  /** In CSS pixels. */
  sizeOf(scene: Scene): { width_px: number; height_px: number };
  /** In CSS pixels too. */
  draw(ctx: CanvasRenderingContext2D, scene: Scene): void;
  /** What else draw reads. */
  also?: readonly ReadonlySignal<unknown>[];
}

/** What is given is kept from the first call on, but for draw. */
export function useDrawing<Scene>(canvas: CanvasRef, { scene, sizeOf, draw, also = [] }: Drawing<Scene>): void {
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(() => {
    // A frame may still come once the canvas has left the page.
    const element = canvas.current!;
    const ctx = element.getContext("2d")!;
    const loop = createFrameLoop(() => {
      const shown = scene.peek();
      if (shown === null) return;
      const { width_px, height_px } = sizeOf(shown);
      const ratio = sizeCanvas(element, width_px, height_px);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      latest.current(ctx, shown);
    });
    const stop = effect(() => {
      for (const signal of [scene, ...also]) void signal.value;
      loop.request();
    });
    return () => {
      stop();
      loop.stop();
    };
  }, [canvas, scene]);
}
