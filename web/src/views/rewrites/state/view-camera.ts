// The camera over the graph: somebody's own, once they have moved it; until then the one under which the match's change
// is looked at (lib/graph/framing.ts), which follows from match to match. Follows the layout where an epoch ends: what
// somebody has looked at stays where it was.
import { batch, computed, effect, signal, untracked, type ReadonlySignal, type Signal } from "@preact/signals";
import { fitRect, reveal, toLayout, viewedRect, zoomAt, type Camera } from "../../../lib/camera";
import type { Point, Rect, Size } from "../../../lib/camera";
import { boxesOfChange, stateOfChange } from "../../../lib/graph/change-boxes";
import { frameChange, frameWhole, kLabelZoom, kMargin_px, kNameZoom } from "../../../lib/graph/framing";
import type { PassChanges } from "../../../lib/graph/pass-changes";
import type { PassLayout } from "../../../lib/graph/pass-layout";
import type { PassModel } from "../../../lib/graph/pass-model";
import type { PlaceState } from "../../../state/place";
import type { GraphState } from "./graph";
import type { SpotState } from "./spot";

export interface ViewCamera {
  size: Signal<Size>;
  camera: ReadonlySignal<Camera | null>;
  /** Somebody's own move: from then on nothing else moves, until they ask for it. */
  move(camera: Camera): void;
  zoom(factor: number, at?: Point): void;
  /** The whole graph; likewise until somebody asks for something else. */
  fit(): void;
  /** Brings nodes into view until another match is gone to; `closer` also zooms until their labels can be read. */
  show(nodes: readonly number[], closer: boolean): void;
  /** Brings a part of the layout close enough for its names to be read; the middle of it, where it is too large. */
  showRect(rect: Rect): void;
  /** Looks at the match's change again. */
  showChange(): void;
  /** Whether another match brings its change into view. */
  isFollowing: ReadonlySignal<boolean>;
  /** Follows the matches, or stays where it is. */
  turnFollowing(): void;
  /** The nodes that the match changed, if none of them is in view; else, and where it changed none, empty. */
  changeElsewhere(): readonly number[];
  /** Whether every box of the state on screen is in view. */
  showsAll(): boolean;
  /** Whether all of a layout is in view, what other states have there too. */
  showsAllOf(layout: PassLayout): boolean;
  /** To be called when the layout on screen gives way to another. */
  follow(from: PassLayout, to: PassLayout, model: PassModel, state: number): void;
}

/** Around nodes that are shown alone. */
const kAround_px = 80;

export function createViewCamera(
  spot: SpotState,
  graph: GraphState,
  place: PlaceState,
  size: Signal<Size>,
  follows: Signal<boolean>,
): ViewCamera {
  /** The bounds of all boxes of the state on screen. */
  const bounds = computed(() => {
    if (graph.shown.value === null) return null;
    const { layout, loaded, state } = graph.shown.value;
    return boundsOf(
      layout,
      layout.nodes.filter((node) => layout.draws(node, loaded.model, state)),
    );
  });
  const asked = signal(0);
  const home = createHome(spot, graph, place, size, follows, asked);
  const camera = computed(() => spot.camera.value ?? home.value);
  const isOwn = createOwnership(spot, place, follows);
  const move = (next: Camera) =>
    batch(() => {
      spot.moveCamera(next);
      isOwn.value = true;
    });
  const showChange = () =>
    batch(() => {
      asked.value++;
      isOwn.value = false;
      spot.moveCamera(null);
    });
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
      if (placed.length > 0) spot.moveCamera(cameraOn(layout, placed, camera.value, size.value, closer));
    },
    showRect(rect) {
      const there = fitRect(rect, size.value, kMargin_px, kLabelZoom);
      move({ ...there, zoom: Math.max(there.zoom, kNameZoom) });
    },
    showChange,
    isFollowing: computed(() => follows.value && !isOwn.value),
    turnFollowing() {
      if (follows.value && !isOwn.value) follows.value = false;
      else {
        follows.value = true;
        showChange();
      }
    },
    follow(from, to, model, state) {
      const before = camera.peek();
      if (before === null) return;
      const anchor = findAnchor(from, to, model, state, spot.node.peek(), before, size.peek());
      if (anchor === null) return;
      const [old, now] = [from.box(anchor), to.box(anchor)];
      spot.moveCamera({ ...before, x: before.x + now.x - old.x, y: before.y + now.y - old.y });
    },
    ...createViewTests(graph, camera, size, bounds),
  };
}

type Bounds = ReadonlySignal<Rect | null>;

/**
 * Whether the camera is somebody's own: then it stays when another match is gone to. One that came with a link, or that
 * a node was brought into view with, holds for the match that it was meant for.
 */
function createOwnership(spot: SpotState, place: PlaceState, follows: ReadonlySignal<boolean>): Signal<boolean> {
  const isOwn = signal(false);
  effect(() => {
    if (spot.camera.value === null) isOwn.value = false; // another pass
  });
  let arrival = place.arrivals.peek();
  let match = spot.match.peek();
  effect(() => {
    const now = spot.match.value;
    const isArrival = place.arrivals.value !== arrival;
    arrival = place.arrivals.peek();
    if (isArrival) isOwn.value = false;
    if (!isArrival && now !== match && follows.peek() && !isOwn.peek()) spot.moveCamera(null);
    match = now;
  });
  return isOwn;
}

/** The camera that is used until somebody moves it. */
function createHome(
  spot: SpotState,
  graph: GraphState,
  place: PlaceState,
  size: ReadonlySignal<Size>,
  follows: ReadonlySignal<boolean>,
  asked: ReadonlySignal<number>,
): ReadonlySignal<Camera | null> {
  const layoutNumbers = new WeakMap<PassLayout, number>();
  let layoutCount = 0;
  const numberOf = (layout: PassLayout) =>
    layoutNumbers.get(layout) ?? (layoutNumbers.set(layout, ++layoutCount), layoutCount);
  const isKnown = () => (graph.shown.value?.loaded.model.knownStates ?? 0) > spot.match.peek();
  // Where matches are not followed: as it was when the graph and the match to be shown had come. Scrubbing does not
  // choose it again; following a link does, and asking for the change.
  const occasion = computed(() => {
    const shown = graph.shown.value;
    const { width, height } = size.value;
    const layout = shown === null ? 0 : numberOf(shown.layout);
    return `${shown?.loaded.key} ${layout} ${isKnown()} ${place.arrivals.value} ${asked.value} ${width} ${height}`;
  });

  function find(): Camera | null {
    const shown = graph.shown.value;
    if (shown === null || size.value.width === 0) return null;
    const { layout, loaded } = shown;
    // While the match is on its way, the states before it pass by: none of them is what was asked for.
    const state = isKnown() ? shown.state : 0;
    const whole = frameWhole(layout, size.value);
    if (state === 0 && whole !== null) return whole;
    const changed = stateOfChange(loaded.model, layout, state);
    if (changed !== null) return frameChange(boxesOfChange(loaded.model, layout, changed), layout, size.value);
    if (whole !== null) return whole;
    const root = loaded.model.rootAt(state);
    const first = layout.has(root) ? [root] : layout.nodes.slice(0, 1);
    return frameChange({ changed: [boundsOf(layout, first)], around: [] }, layout, size.value);
  }

  return computed(() => {
    if (follows.value) return find();
    void occasion.value;
    return untracked(find);
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
  const zoom = Math.max(from.zoom, kLabelZoom);
  const all = fitRect(bounds, size, kAround_px, zoom);
  if (all.zoom >= kNameZoom) return all;
  // They are too far apart to be read together: the first alone.
  return fitRect(boundsOf(layout, nodes.slice(0, 1)), size, kAround_px, zoom);
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
  const isAnchor = (node: number) => from.has(node) && to.has(node) && to.draws(node, model, state);
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
