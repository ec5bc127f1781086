// The camera over the graph: the place's, or, until somebody moves it, one that shows the whole graph. Follows the
// layout where an epoch ends: what was looked at stays where it was.
import { computed, untracked, type ReadonlySignal, type Signal } from "@preact/signals";
import { type Rect, fitRect, reveal, toLayout, viewedRect, zoomAt, type Point, type Size } from "../../../lib/camera";
import type { Camera } from "../../../lib/camera";
import { changesAt, type PassChanges } from "../../../lib/graph/pass-changes";
import type { PassLayout } from "../../../lib/graph/pass-layout";
import type { PassModel } from "../../../lib/graph/pass-model";
import type { PlaceState } from "../../../state/place";
import type { GraphState } from "./graph";
import type { SpotState } from "./spot";

export interface ViewCamera {
  size: Signal<Size>;
  camera: ReadonlySignal<Camera | null>;
  move(camera: Camera): void;
  zoom(factor: number, at?: Point): void;
  fit(): void;
  /** Brings a node into view; `closer` also zooms until its label can be read. */
  show(nodes: readonly number[], closer: boolean): void;
  /** The nodes that the match changed, if none of them is in view; else, and where it changed none, empty. */
  changeElsewhere(): readonly number[];
  /** Whether every box of the state on screen is in view. */
  showsAll(): boolean;
  /** Whether all of a layout is in view, what other states have there too. */
  showsAllOf(layout: PassLayout): boolean;
  /** To be called when the layout on screen gives way to another. */
  follow(from: PassLayout, to: PassLayout, model: PassModel, state: number): void;
}

/** Controls that lie over the graph at its edges fit into it. */
const kMargin_px = 32;
/** Around nodes that are shown alone. */
const kAround_px = 80;
const kReadableZoom = 0.9;
const kNameZoom = 0.3;

export function createViewCamera(
  spot: SpotState,
  graph: GraphState,
  place: PlaceState,
  size: Signal<Size>,
): ViewCamera {
  /** The bounds of all boxes of the state on screen. */
  const bounds = computed(() => {
    if (graph.shown.value === null) return null;
    const { layout, loaded, state } = graph.shown.value;
    return boundsOf(
      layout,
      layout.nodes.filter((node) => loaded.model.isBox(node, state)),
    );
  });
  const home = createHome(spot, graph, place, size, bounds);
  const camera = computed(() => spot.camera.value ?? home.value);
  const move = (next: Camera) => spot.moveCamera(next);
  return {
    size,
    camera,
    move,
    zoom(factor, at) {
      const { width, height } = size.value;
      if (camera.value !== null) move(zoomAt(camera.value, size.value, at ?? { x: width / 2, y: height / 2 }, factor));
    },
    fit() {
      const next = fitBounds(bounds.value, size.value);
      if (next !== null) move(next);
    },
    show(nodes, closer) {
      const layout = graph.shown.value?.layout;
      if (layout === undefined || camera.value === null) return;
      const placed = nodes.filter((node) => layout.has(node));
      if (placed.length > 0) move(cameraOn(layout, placed, camera.value, size.value, closer));
    },
    follow(from, to, model, state) {
      const before = camera.peek();
      if (before === null) return;
      const anchor = findAnchor(from, to, model, state, spot.node.peek(), before, size.peek());
      if (anchor === null) return;
      const [old, now] = [from.box(anchor), to.box(anchor)];
      move({ ...before, x: before.x + now.x - old.x, y: before.y + now.y - old.y });
    },
    ...createViewTests(graph, camera, size, bounds),
  };
}

type Bounds = ReadonlySignal<Rect | null>;

/** The camera that is used until somebody moves it. */
function createHome(
  spot: SpotState,
  graph: GraphState,
  place: PlaceState,
  size: ReadonlySignal<Size>,
  bounds: Bounds,
): ReadonlySignal<Camera | null> {
  // As it was when the graph and the match to be shown had come: scrubbing does not choose it again, following a link
  // does.
  const occasion = computed(() => {
    const loaded = graph.shown.value?.loaded;
    const { width, height } = size.value;
    const hasRoutes = loaded?.layouts.some((layout) => layout.hasRoutes) ?? false;
    const isDown = graph.shown.value?.layout.isDown ?? false;
    const hasMatch = loaded !== undefined && loaded.model.knownStates > spot.match.peek();
    return `${loaded?.key} ${loaded?.revision} ${hasRoutes} ${hasMatch} ${isDown} ${place.arrivals.value} ${width} ${height}`;
  });

  /**
   * Where names can be read: the whole graph, or, where that is too large for it, the selected node, what the match
   * changed, what the pass changes first, or else the root.
   */
  function findHome(): Camera | null {
    const whole = fitBounds(bounds.value, size.value);
    if (whole === null || whole.zoom >= kNameZoom) return whole;
    const { layout, loaded, state, changes } = graph.shown.value!;
    const { model } = loaded;
    const isThere = (node: number) => layout.has(node) && model.isBox(node, state);
    const next = state === 0 && model.knownStates > 1 ? nodesOf(changesAt(model, 1)) : [];
    const first = [
      graph.lit.value?.node,
      nodesOf(changes).find(isThere),
      changes.removed.find((node) => layout.has(node)),
      next.find(isThere),
      model.rootAt(state),
    ].find((node) => node !== undefined && layout.has(node));
    if (first === undefined) return whole;
    const there = fitRect(boundsOf(layout, [first]), size.value, kAround_px, kReadableZoom);
    return keepInside(there, layout, size.value);
  }

  return computed(() => {
    void occasion.value;
    return untracked(findHome);
  });
}

/** Tells what is in view. */
function createViewTests(
  graph: GraphState,
  camera: ReadonlySignal<Camera | null>,
  size: ReadonlySignal<Size>,
  bounds: Bounds,
): Pick<ViewCamera, "changeElsewhere" | "showsAll" | "showsAllOf"> {
  function isInView({ left, top, right, bottom }: Rect): boolean {
    if (camera.value === null) return true;
    const view = viewedRect(camera.value, size.value);
    return view.left <= left && view.top <= top && view.right >= right && view.bottom >= bottom;
  }
  return {
    changeElsewhere() {
      const shown = graph.shown.value;
      if (shown === null || camera.value === null) return [];
      const changed = nodesOf(shown.changes).filter((node) => shown.layout.has(node));
      const { left, top, right, bottom } = viewedRect(camera.value, size.value);
      const isSeen = (node: number) => {
        const { x, y, w, h } = shown.layout.box(node);
        return x < right && x + w > left && y < bottom && y + h > top;
      };
      return changed.some(isSeen) ? [] : changed;
    },
    showsAllOf: ({ width, height }) => isInView({ left: 0, top: 0, right: width, bottom: height }),
    showsAll: () => bounds.value === null || isInView(bounds.value),
  };
}

function fitBounds(bounds: Rect | null, size: Size): Camera | null {
  return bounds === null || size.width === 0 ? null : fitRect(bounds, size, kMargin_px);
}

/** With the nodes in view; `closer`: where their labels can be read. */
function cameraOn(layout: PassLayout, nodes: readonly number[], from: Camera, size: Size, closer: boolean): Camera {
  const bounds = boundsOf(layout, nodes);
  if (!closer) return reveal(from, size, bounds);
  const zoom = Math.max(from.zoom, kReadableZoom);
  const all = fitRect(bounds, size, kAround_px, zoom);
  if (all.zoom >= kNameZoom) return all;
  // They are too far apart to be read together: the first alone.
  return fitRect(boundsOf(layout, nodes.slice(0, 1)), size, kAround_px, zoom);
}

/**
 * Moves as little as is needed for nothing beside the layout to be in view; where the layout is the smaller, into the
 * middle.
 */
function keepInside(camera: Camera, { width, height }: PassLayout, size: Size): Camera {
  const inside = (at: number, view_px: number, length: number) => {
    const half = view_px / camera.zoom / 2;
    const margin = kMargin_px / camera.zoom;
    const [least, most] = [half - margin, length - half + margin];
    return least > most ? length / 2 : Math.min(Math.max(at, least), most);
  };
  return { ...camera, x: inside(camera.x, size.width, width), y: inside(camera.y, size.height, height) };
}

function nodesOf({ made, rewritten, removed }: PassChanges): number[] {
  return [...made, ...rewritten, ...removed];
}

function boundsOf(layout: PassLayout, nodes: readonly number[]): Rect {
  if (nodes.length === 0) return { left: 0, top: 0, right: layout.width, bottom: layout.height };
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const node of nodes) {
    const { x, y, w, h } = layout.box(node);
    bounds.left = Math.min(bounds.left, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.right = Math.max(bounds.right, x + w);
    bounds.bottom = Math.max(bounds.bottom, y + h);
  }
  return bounds;
}

/** The selected node, or else the one nearest to the middle of the view that both layouts have. */
function findAnchor(
  from: PassLayout,
  to: PassLayout,
  model: PassModel,
  state: number,
  selected: number | null,
  camera: Camera,
  size: Size,
): number | null {
  const isAnchor = (node: number) => from.has(node) && to.has(node) && model.isBox(node, state);
  if (selected !== null && isAnchor(selected)) return selected;
  const middle = toLayout(camera, size, { x: size.width / 2, y: size.height / 2 });
  let best: number | null = null;
  let least = Infinity;
  for (const node of from.findNodes(viewedRect(camera, size))) {
    if (!isAnchor(node)) continue;
    const { x, y, w, h } = from.box(node);
    const distance = Math.hypot(x + w / 2 - middle.x, y + h / 2 - middle.y);
    if (distance < least) [best, least] = [node, distance];
  }
  return best;
}
