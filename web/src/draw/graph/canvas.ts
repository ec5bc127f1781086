// Draws the graph on a 2D canvas. An exact frame costs what is on screen; where even that takes long, the last exact
// frame is moved and stretched while the camera moves, and an exact one follows.
import { sizeCanvas } from "../canvas";
import { drawBoxes } from "./boxes";
import { drawDense } from "./dense";
import { drawEdges, findEdgesAtChange } from "./edges";
import { drawGroups } from "./groups";
import { drawMarks } from "./marks";
import type { GraphFrame, GraphRenderer, Hotspot } from "./renderer";
import { buildScene, fitFont, type Scene } from "./scene";
import { drawStubs } from "./stubs";
import { PixelLayer } from "../pixel-layer";

const kSlowFrame_ms = 14;
const kManyShapes = 3000;

export class CanvasGraphRenderer implements GraphRenderer {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #hotspots: Hotspot[] = [];
  #pixels: PixelLayer | null = null;
  #font: { family: string; size_px: number } | null = null;
  /** The last exact frame, kept where it was slow to draw. */
  #kept: { frame: GraphFrame; picture: HTMLCanvasElement } | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d", { alpha: false })!;
  }

  draw(frame: GraphFrame): boolean {
    const ratio = sizeCanvas(this.#canvas, frame.width, frame.height);
    if (frame.moving && this.#kept !== null && showsTheSame(this.#kept.frame, frame)) {
      this.#moveKept(frame, ratio);
      return false;
    }
    if (this.#drawExact(frame, ratio)) this.#keep(frame);
    else this.#kept = null;
    return true;
  }

  hotspots(): readonly Hotspot[] {
    return this.#hotspots;
  }

  dispose(): void {
    this.#kept = null;
    this.#pixels = null;
  }

  /** Returns whether it was slow. */
  #drawExact(frame: GraphFrame, ratio: number): boolean {
    const before = performance.now();
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (this.#font?.family !== frame.palette.mono) {
      this.#font = { family: frame.palette.mono, size_px: fitFont(context, frame.palette.mono) };
    }
    const scene = buildScene(frame, context, this.#font.size_px);
    this.#hotspots = [];
    if (scene.detail === "dense") {
      drawDense(scene, this.#pixelLayer(), ratio, context);
      this.#toLayoutPixels(frame, ratio);
    } else {
      this.#clear(frame);
      this.#toLayoutPixels(frame, ratio);
      drawEdges(scene);
      drawBoxes(scene);
    }
    if (scene.detail === "block" || scene.detail === "dense") this.#hotspots = drawGroups(scene);
    drawMarks(scene);
    if (scene.detail === "text") this.#hotspots = drawStubs(scene);
    if (scene.detail === "dense") drawLitEdges(scene);
    // The time alone does not tell: browsers paint what was drawn later, elsewhere.
    return scene.nodes.length + scene.edges.length > kManyShapes || performance.now() - before > kSlowFrame_ms;
  }

  #clear(frame: GraphFrame): void {
    this.#context.fillStyle = frame.palette.background;
    this.#context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  #toLayoutPixels({ camera, width, height }: GraphFrame, ratio: number): void {
    const scale = camera.zoom * ratio;
    const x = (width / 2) * ratio - camera.x * scale;
    const y = (height / 2) * ratio - camera.y * scale;
    this.#context.setTransform(scale, 0, 0, scale, x, y);
  }

  #pixelLayer(): PixelLayer {
    const { width, height } = this.#canvas;
    if (this.#pixels?.width !== width || this.#pixels.height !== height) this.#pixels = new PixelLayer(width, height);
    return this.#pixels;
  }

  #keep(frame: GraphFrame): void {
    const picture = this.#kept?.picture ?? document.createElement("canvas");
    if (picture.width !== this.#canvas.width) picture.width = this.#canvas.width;
    if (picture.height !== this.#canvas.height) picture.height = this.#canvas.height;
    picture.getContext("2d", { alpha: false })!.drawImage(this.#canvas, 0, 0);
    this.#kept = { frame, picture };
  }

  #moveKept(frame: GraphFrame, ratio: number): void {
    const { frame: old, picture } = this.#kept!;
    this.#context.setTransform(1, 0, 0, 1, 0, 0);
    this.#clear(frame);
    const scale = frame.camera.zoom / old.camera.zoom;
    const x = ((old.camera.x - frame.camera.x) * frame.camera.zoom + frame.width / 2 - (old.width / 2) * scale) * ratio;
    const y =
      ((old.camera.y - frame.camera.y) * frame.camera.zoom + frame.height / 2 - (old.height / 2) * scale) * ratio;
    this.#context.drawImage(picture, x, y, picture.width * scale, picture.height * scale);
  }
}

/**
 * Dense pictures are set under the canvas's own lines: edges at what has changed, and those of the selection, come
 * last.
 */
function drawLitEdges(scene: Scene): void {
  const { selection } = scene;
  const lit = selection === null ? [] : [...selection.sourceEdges, ...selection.userEdges];
  const edges = [...new Set([...findEdgesAtChange(scene), ...lit])];
  if (edges.length === 0) return;
  drawEdges({ ...scene, edges, changes: { ...scene.changes, removedEdges: [] } });
}

function showsTheSame(a: GraphFrame, b: GraphFrame): boolean {
  return (
    a.layout === b.layout &&
    a.state === b.state &&
    a.palette === b.palette &&
    a.measure === b.measure &&
    a.selection === b.selection &&
    a.found === b.found &&
    a.absent?.node === b.absent?.node &&
    a.width === b.width &&
    a.height === b.height
  );
}
