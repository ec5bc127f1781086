// The graph of a state as a picture to take away: all of it, whatever the camera shows, by the same code that draws it
// on screen. As SVG every label is text; as PNG it is as large as browsers make canvases.
import type { Rect } from "../../lib/camera";
import { SvgContext, type Brush } from "../svg-context";
import { drawBoxes } from "./boxes";
import { drawEdges } from "./edges";
import { drawGroups } from "./groups";
import { drawMarks } from "./marks";
import type { GraphFrame } from "./renderer";
import { buildScene, fitFont } from "./scene";
import { drawStubs } from "./stubs";

/** The graph to draw; the camera and the size follow from it. */
export type GraphPicture = Omit<GraphFrame, "camera" | "width" | "height" | "moving" | "flash">;

/** Stubs and badges stick out of boxes by so much, in layout pixels. */
const kMargin = 60;
const kMostSide_px = 16_000;
const kMostArea_px = 120e6;
const kSharpest = 2;

export function drawGraphAsSvg(picture: GraphPicture, title: string): string {
  const paper = document.createElement("canvas").getContext("2d")!;
  const measure = (text: string, font: string) => {
    paper.font = font;
    return paper.measureText(text);
  };
  const bounds = boundsOf(picture);
  const svg = new SvgContext(measure);
  paint(picture, bounds, 1, svg, fitFont(paper, picture.palette.mono));
  const { left, top, right, bottom } = bounds;
  return svg.toSvg({ x: left, y: top, w: right - left, h: bottom - top }, picture.palette.background, title);
}

/** Null where the browser has no memory for it. */
export function drawGraphAsPng(picture: GraphPicture): Promise<Blob | null> {
  const bounds = boundsOf(picture);
  const [w, h] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const zoom = Math.min(kSharpest, kMostSide_px / w, kMostSide_px / h, Math.sqrt(kMostArea_px / (w * h)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(Math.floor(w * zoom), 1);
  canvas.height = Math.max(Math.floor(h * zoom), 1);
  const context = canvas.getContext("2d", { alpha: false })!;
  context.fillStyle = picture.palette.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const font_px = fitFont(context, picture.palette.mono);
  context.setTransform(zoom, 0, 0, zoom, -bounds.left * zoom, -bounds.top * zoom);
  paint(picture, bounds, zoom, context, font_px);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function paint(picture: GraphPicture, bounds: Rect, zoom: number, context: Brush, font_px: number): void {
  const { left, top, right, bottom } = bounds;
  const frame: GraphFrame = {
    ...picture,
    camera: { x: (left + right) / 2, y: (top + bottom) / 2, zoom },
    width: (right - left) * zoom,
    height: (bottom - top) * zoom,
    moving: false,
    flash: null,
  };
  const scene = buildScene(frame, context, font_px);
  // Pixel by pixel is for frames that must be there in time.
  if (scene.detail === "dense") scene.detail = "block";
  drawEdges(scene);
  drawBoxes(scene);
  if (scene.detail === "block") drawGroups(scene);
  drawMarks(scene);
  if (scene.detail === "text") drawStubs(scene);
}

/** Around the boxes of the state, and those that its match removed. */
function boundsOf({ model, layout, state, changes }: GraphPicture): Rect {
  const everything = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  const boxes = layout.findNodes(everything).filter((node) => layout.draws(node, model, state));
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const node of [...boxes, ...changes.removed.filter((gone) => layout.has(gone))]) {
    const { x, y, w, h } = layout.box(node);
    bounds.left = Math.min(bounds.left, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.right = Math.max(bounds.right, x + w);
    bounds.bottom = Math.max(bounds.bottom, y + h);
  }
  if (bounds.right < bounds.left) return { left: 0, top: 0, right: 1, bottom: 1 };
  return {
    left: bounds.left - kMargin,
    top: bounds.top - kMargin,
    right: bounds.right + kMargin,
    bottom: bounds.bottom + kMargin,
  };
}
