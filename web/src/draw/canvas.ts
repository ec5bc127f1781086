// The base of every canvas: pixels that match the screen's, and drawing no more than once a frame.

/** Gives the canvas the size in CSS pixels; returns the ratio of its pixels to those. */
export function sizeCanvas(canvas: HTMLCanvasElement, width: number, height: number): number {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.max(Math.round(width * ratio), 1), Math.max(Math.round(height * ratio), 1)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  return ratio;
}

export interface FrameLoop {
  /** Asks for one drawing at the next frame, however often it is called before that. */
  request(): void;
  stop(): void;
}

export function createFrameLoop(draw: () => void): FrameLoop {
  let frame: number | null = null;
  return {
    request() {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        draw();
      });
    },
    stop() {
      if (frame !== null) cancelAnimationFrame(frame);
      frame = null;
    },
  };
}
