// Edges: from the right side of a source to the left side of its user (or from the lower to the upper one), curved, dim
// unless something lights them up. One path a class of edges, since changing the stroke costs more than the line.
import type { Brush } from "../svg-context";
import type { Scene } from "./scene";

const kStraightBelowZoom = 0.15;
const kMinBend = 18;

/**
 * Draws every edge of the scene that is drawn whole (dotted where it leads past hidden nodes), then those at changed
 * nodes, then those that the match made or removed, then the lit ones.
 */
export function drawEdges(scene: Scene): void {
  const { context, palette, selection, changes, layout, model } = scene;
  const { before } = changes;
  const plain: number[] = [];
  const bridged: number[] = [];
  const made: number[] = [];
  const near: number[] = [];
  const atChange = findEdgesAtChange(scene);
  const lit = { sources: [] as number[], users: [] as number[] };
  for (const edge of scene.edges) {
    if (selection?.sourceEdges.has(edge)) lit.sources.push(edge);
    else if (selection?.userEdges.has(edge)) lit.users.push(edge);
    else if (layout.edges.isCut(edge)) continue;
    else if (changes.madeEdges.has(layout.edges.modelEdgeOf(edge))) made.push(edge);
    else if (atChange.has(edge)) near.push(edge);
    else if (layout.edges.isBridged(edge)) bridged.push(edge);
    else plain.push(edge);
  }
  const quiet = selection === null ? 0.75 : 0.3;
  strokeEdges(scene, plain, palette.faint, quiet);
  context.setLineDash([2 / scene.camera.zoom, 3 / scene.camera.zoom]);
  strokeEdges(scene, bridged, palette.faint, quiet);
  context.setLineDash([]);
  strokeEdges(scene, near, palette.dim, selection === null ? 1 : 0.5);
  strokeEdges(scene, made, palette.made, selection === null ? 1 : 0.5, 1.5);

  const gone = changes.removedEdges.filter((edge) => {
    const [source, user] = [model.edgeSource.at(edge), model.edgeUser.at(edge)];
    return layout.has(source) && layout.has(user) && model.isBox(source, before) && model.isBox(user, before);
  });
  context.setLineDash([4 / scene.camera.zoom, 4 / scene.camera.zoom]);
  strokeEdges(scene, gone.slice(0, kMaxGone), palette.removed, 0.45);
  context.setLineDash([]);

  strokeLit(scene, lit.sources, palette.marker);
  strokeLit(scene, lit.users, palette.accent);
}

const kMaxGone = 400;
/** Where more has changed than this, nothing stands out by its surroundings. */
const kMostChanged = 64;

/** Edges between what has changed and its neighbours: they stand before the others. */
export function findEdgesAtChange({ changes, layout, model, state }: Scene): Set<number> {
  const changed = [...changes.made, ...changes.rewritten];
  const edges = new Set<number>();
  if (changed.length > kMostChanged) return edges;
  for (const node of changed) {
    if (!layout.has(node)) continue;
    for (const edge of layout.edges.into(node, model, state)) {
      if (layout.has(layout.edges.sourceOf(edge, model))) edges.add(edge);
    }
    for (const edge of layout.edges.outOf(node, model, state)) edges.add(edge);
  }
  return edges;
}

/** Edges of the selection; those cut are drawn whole, dashed, since the question is where they lead. */
function strokeLit(scene: Scene, edges: readonly number[], colour: string): void {
  const { context, layout, camera } = scene;
  strokeEdges(
    scene,
    edges.filter((edge) => !layout.edges.isCut(edge)),
    colour,
    1,
    1.75,
  );
  context.setLineDash([6 / camera.zoom, 4 / camera.zoom]);
  strokeEdges(
    scene,
    edges.filter((edge) => layout.edges.isCut(edge)),
    colour,
    0.8,
    1.25,
  );
  context.setLineDash([]);
}

function strokeEdges(scene: Scene, edges: readonly number[], colour: string, alpha: number, width = 1): void {
  if (edges.length === 0) return;
  const { context, camera } = scene;
  context.beginPath();
  for (const edge of edges) traceEdge(scene, edge);
  context.strokeStyle = colour;
  context.globalAlpha = camera.zoom < 0.3 ? alpha * 0.7 : alpha;
  context.lineWidth = width / camera.zoom;
  context.stroke();
  context.globalAlpha = 1;
}

function traceEdge({ context, layout, model, camera }: Scene, edge: number): void {
  const way = layout.wayOf(edge, model);
  let [x, y] = [way[0]!, way[1]!];
  context.moveTo(x, y);
  for (let i = 2; i < way.length; i += 2) {
    const [toX, toY] = [way[i]!, way[i + 1]!];
    const isStraight = Math.abs(layout.isDown ? toX - x : toY - y) < 0.5;
    if (camera.zoom < kStraightBelowZoom || isStraight) context.lineTo(toX, toY);
    else if (layout.isDown) bendDown(context, x, y, toX, toY);
    else bendTo(context, x, y, toX, toY);
    x = toX;
    y = toY;
  }
}

/** A curve that leaves downward and arrives from above. */
function bendDown(context: Brush, x: number, y: number, toX: number, toY: number): void {
  const bend = reachOf(toY - y);
  context.bezierCurveTo(x, y + bend, toX, toY - bend, toX, toY);
}

/** How far a curve goes on as it began, for ends so far apart along its way; below 0 it leads back. */
function reachOf(distance: number): number {
  return distance > 0 ? Math.max(distance / 2, Math.min(kMinBend, distance)) : 3 * kMinBend;
}

/** A curve that leaves to the right and arrives from the left, also where it has to lead back. */
function bendTo(context: Brush, x: number, y: number, toX: number, toY: number): void {
  const bend = reachOf(toX - x);
  context.bezierCurveTo(x + bend, y, toX - bend, toY, toX, toY);
}
