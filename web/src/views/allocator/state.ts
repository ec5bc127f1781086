// What of an allocator is looked at: of which device, at which entry, by which kind of owner, in which panel; the
// owner and the allocation that are chosen: all as the URL says.
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import {
  formatAllocatorMoment,
  kOwnerKinds,
  parseAllocatorMoment,
  queryOfMoment,
  type AllocatorMoment,
  type OwnerKind,
  type WireAllocator,
  type WireAllocatorState,
  type WireLeak,
  type WireLife,
  type WireLifeDetail,
  type WireLives,
  type WireOwnerRow,
  type WireOwners,
} from "../../lib/allocator";
import { readCurve, type Curve, type WireCurve } from "../../lib/allocator-curve";
import { readLanes } from "../../lib/timeline/answers";
import type { LaneInfo } from "../../lib/timeline/timeline";
import type { WireLanes } from "../../lib/timeline/wire";
import { formatRange, parseRange, type TimeRange } from "../../lib/time";
import type { App } from "../../state/app";
import { followProfile } from "../../state/asked";
import { dataOf, readFetched, type Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { leakColumns, lifeColumns, ownerColumns } from "./columns";

/** What owners are shown for: what they hold at the moment; what was made in the time shown; what of that is left. */
export const kAsked = ["held", "made", "left"] as const;
export type Asked = (typeof kAsked)[number];

export const kPanels = ["owners", "segments", "leaks", "find"] as const;
export type Panel = (typeof kPanels)[number];

export const urlKeys = {
  "alloc.lane": "kept",
  "alloc.at": "ofLink",
  "alloc.of": "ofLink",
  "alloc.by": "kept",
  "alloc.show": "ofLink",
  "alloc.time": "kept",
  "alloc.owner": "ofLink",
  "alloc.life": "ofLink",
  "alloc.piece": "ofLink",
  "alloc.scale": "kept",
  "alloc.steps": "kept",
  "alloc.leak": "ofLink",
  "alloc.words": "ofLink",
  "alloc.filter": "kept",
  "alloc.order": "kept",
  "alloc.lifeorder": "kept",
} as const;

/** The memories whose allocators told of themselves. */
export interface Memories {
  key: string;
  lanes: readonly LaneInfo[];
  owners: readonly number[];
  dur_ns: number;
}

export interface AllocatorState {
  lanes: ReadonlySignal<Fetched<WireLanes>>;
  memories: ReadonlySignal<Memories | null>;
  lane: ReadonlySignal<number>;
  setLane(lane: number): void;
  whole: ReadonlySignal<Fetched<WireAllocator>>;
  /** Else what lies on the axis of time are entries. */
  hasTimes: ReadonlySignal<boolean>;
  at: ReadonlySignal<AllocatorMoment>;
  setAt(at: AllocatorMoment): void;
  /** The entry that is shown, once it is known. */
  entry: ReadonlySignal<number | null>;
  of: ReadonlySignal<Asked>;
  setOf(of: Asked): void;
  by: ReadonlySignal<OwnerKind>;
  setBy(by: OwnerKind): void;
  panel: ReadonlySignal<Panel>;
  setPanel(panel: Panel): void;
  range: ReadonlySignal<TimeRange>;
  setRange(range: TimeRange | null): void;
  width_px: Signal<number>;
  curve: ReadonlySignal<Fetched<Curve>>;
  owners: ReadonlySignal<Fetched<WireOwners>>;
  ownerList: List<WireOwnerRow>;
  /** The chosen owner's number; null: none. */
  owner: ReadonlySignal<number | null>;
  chooseOwner(id: number | null): void;
  state: ReadonlySignal<Fetched<WireAllocatorState>>;
  steps: ReadonlySignal<string | null>;
  setSteps(name: string): void;
  leaks: ReadonlySignal<Fetched<{ steps: number; rows: WireLeak[] }>>;
  leakList: List<WireLeak>;
  words: ReadonlySignal<string>;
  setWords(words: string): void;
  lives: ReadonlySignal<Fetched<WireLives>>;
  lifeList: List<WireLife>;
  life: ReadonlySignal<Fetched<WireLifeDetail>>;
  chooseLife(life: number | null): void;
  /** The address of the free piece that is chosen. */
  piece: ReadonlySignal<string | null>;
  choosePiece(address: string): void;
  /** Whether all segments are drawn to one scale, else each as wide as there is room. */
  isOneScale: ReadonlySignal<boolean>;
  setOneScale(isOne: boolean): void;
  /** The allocation under the pointer. */
  hovered: Signal<number | null>;
  hoveredLife: ReadonlySignal<Fetched<WireLifeDetail>>;
}

const numberOf = (text: string | undefined): number | null => (/^\d{1,10}$/.test(text ?? "") ? Number(text) : null);

export function createAllocator(app: App, isShown: ReadonlySignal<boolean>): AllocatorState {
  const { place } = app;
  const asked = createQuestions(app, isShown);
  const { memories, by, owners, leaks, lives, hasTimes } = asked;
  return {
    ...asked,
    setLane: (next) =>
      place.adjust({
        "alloc.lane": memories.peek()?.lanes[next]?.path ?? null,
        "alloc.owner": null,
        "alloc.life": null,
        "alloc.piece": null,
        "alloc.at": null,
        "alloc.leak": null,
      }),
    setAt: (next) => place.adjust({ "alloc.at": formatAllocatorMoment(next) }),
    setOf: (next) => place.adjust({ "alloc.of": next === "held" ? null : next, "alloc.show": null }),
    setBy: (next) => place.adjust({ "alloc.by": next === "line" ? null : next, "alloc.owner": null }),
    setPanel: (next) => place.adjust({ "alloc.show": next === "owners" ? null : next }),
    setRange: (next) => place.adjust({ "alloc.time": next === null ? null : formatRange(next) }),
    ownerList: createList<WireOwnerRow>(place, {
      rows: () => owners.value.value?.data.rows ?? [],
      columns: () => ownerColumns(by.value, owners.value.value?.data.bytes ?? 1),
      keyOf: (row) => row.id,
      textOf: (row) => String(row.owner),
      keys: { text: "alloc.filter", order: "alloc.order", chosen: "alloc.owner" },
      firstOrder: { column: "block_bytes", descending: true },
    }),
    chooseOwner: (id) => place.adjust({ "alloc.owner": id === null ? null : String(id), "alloc.life": null }),
    setSteps: (name) => place.adjust({ "alloc.steps": name, "alloc.leak": null }),
    leakList: createList<WireLeak>(place, {
      rows: () => leaks.value.value?.data.rows ?? [],
      columns: () => leakColumns(leaks.value.value?.data.steps ?? 1),
      keyOf: (row) => row.id,
      textOf: (row) => String(row.owner),
      keys: { chosen: "alloc.leak" },
      firstOrder: { column: "block_bytes", descending: true },
    }),
    setWords: (next) => place.adjust({ "alloc.words": next === "" ? null : next }),
    lifeList: createList<WireLife>(place, {
      rows: () => lives.value.value?.data.rows ?? [],
      columns: () => lifeColumns(hasTimes.value),
      keyOf: (row) => row.life,
      textOf: (row) => row.line,
      keys: { order: "alloc.lifeorder", chosen: "alloc.life" },
      firstOrder: { column: "block_bytes", descending: true },
    }),
    choosePiece: (address) => place.adjust({ "alloc.piece": address }),
    setOneScale: (isOne) => place.adjust({ "alloc.scale": isOne ? "one" : null }),
    chooseLife: (life) => place.adjust({ "alloc.life": life === null ? null : String(life) }),
  };
}

/** What is asked of the server. */
function createQuestions(app: App, isShown: ReadonlySignal<boolean>) {
  const { place } = app;
  const lanes = followProfile<WireLanes>(app, isShown, () => "/api/v1/lanes");
  const memories = computed(() => readMemories(lanes.value.value?.data ?? null));
  const lane = chooseLane(app, memories);
  const ask = <T>(rest: () => string | null) =>
    followProfile<T>(app, isShown, () => {
      const asked = memories.value === null || lane.value < 0 ? null : rest();
      return asked === null ? null : `/api/v1/allocator/${memories.value!.key}/${lane.value}${asked}`;
    });
  const sight = readSight(app, memories);
  const { at, by, panel, range, moment, owner, words } = sight;
  const width_px = signal(0);
  const hovered = signal<number | null>(null);
  const whole = ask<WireAllocator>(() => "");
  const hasTimes = computed(() => whole.value.value?.data.lacking.includes("times") !== true);
  const steps = chooseSteps(app, whole);
  const state = ask<WireAllocatorState>(() => `/state?by=${by.value}&${moment.value}`);
  const [leakKey, lifeKey] = [place.key("alloc.leak"), place.key("alloc.life")];
  const lives = ask<WireLives>(() => {
    if (panel.value === "find") return words.value === "" ? null : `/lives?q=${encodeURIComponent(words.value)}`;
    if (panel.value === "leaks") {
      const leak = numberOf(leakKey.value);
      return leak === null ? null : `/lives?by=line&owner=${leak}&leaked=${encodeURIComponent(steps.value ?? "")}`;
    }
    return owner.value === null ? null : `/lives?by=${by.value}&owner=${owner.value}&${sight.asked.value}`;
  });
  const pathOfLife = (life: number | null) => {
    if (life === null) return null;
    const trace = app.session.capture.value?.same_run[0];
    return `/life?life=${life}${trace === undefined ? "" : `&trace=${trace}`}`;
  };
  return {
    ...sight,
    lanes,
    memories,
    lane,
    width_px,
    hovered,
    whole,
    hasTimes,
    steps,
    state,
    lives,
    entry: computed(() => dataOf(state.value)?.entry ?? (typeof at.value === "number" ? at.value : null)),
    curve: readFetched(
      ask<WireCurve>(() => {
        if (width_px.value === 0) return null;
        const { from, to } = range.value;
        const focus = owner.value === null ? "" : `&focus=${owner.value}`;
        return `/curve?by=${by.value}&from=${Math.round(from)}&to=${Math.round(to)}&width=${width_px.value}${focus}`;
      }),
      readCurve,
    ),
    owners: ask<WireOwners>(() => `/owners?by=${by.value}&${sight.asked.value}`),
    leaks: ask<{ steps: number; rows: WireLeak[] }>(() =>
      steps.value === null || panel.value !== "leaks" ? null : `/leaks?name=${encodeURIComponent(steps.value)}`,
    ),
    // The chosen one, else the largest of those that are listed: its line is what people ask for.
    life: ask<WireLifeDetail>(() => pathOfLife(numberOf(lifeKey.value) ?? dataOf(lives.value)?.rows[0]?.life ?? null)),
    hoveredLife: ask<WireLifeDetail>(() => pathOfLife(hovered.value)),
  };
}

/** What the URL says is looked at. */
function readSight({ place }: App, memories: ReadonlySignal<Memories | null>) {
  const [atKey, byKey, showKey] = [place.key("alloc.at"), place.key("alloc.by"), place.key("alloc.show")];
  const [timeKey, ownerKey, wordsKey] = [place.key("alloc.time"), place.key("alloc.owner"), place.key("alloc.words")];
  const at = computed(() => parseAllocatorMoment(atKey.value));
  const range = computed(() => parseRange(timeKey.value) ?? { from: 0, to: Math.max(memories.value?.dur_ns ?? 1, 1) });
  const ofKey = place.key("alloc.of");
  const [pieceKey, scaleKey] = [place.key("alloc.piece"), place.key("alloc.scale")];
  const of = computed<Asked>(() => kAsked.find((name) => name === ofKey.value) ?? "held");
  const time = computed(() => `from=${Math.round(range.value.from)}&to=${Math.round(range.value.to)}`);
  // The peak is that of the time that is zoomed to.
  const moment = computed(() => {
    const isPart = at.value === "peak" && timeKey.value !== undefined;
    return `${queryOfMoment(at.value)}${isPart ? `&${time.value}` : ""}`;
  });
  return {
    at,
    of,
    by: computed<OwnerKind>(() => kOwnerKinds.find((kind) => kind === byKey.value) ?? "line"),
    panel: computed<Panel>(() => kPanels.find((name) => name === showKey.value) ?? "owners"),
    range,
    moment,
    /** Which allocations the owners are computed for. */
    asked: computed(() => (of.value === "held" ? moment.value : `of=${of.value}&${time.value}`)),
    owner: computed(() => numberOf(ownerKey.value)),
    words: computed(() => wordsKey.value ?? ""),
    piece: computed(() => pieceKey.value ?? null),
    isOneScale: computed(() => scaleKey.value === "one"),
  };
}

/** The one that the URL names, else the first. */
function chooseLane({ place }: App, memories: ReadonlySignal<Memories | null>): ReadonlySignal<number> {
  const key = place.key("alloc.lane");
  return computed(() => {
    const { lanes, owners } = memories.value ?? { lanes: [], owners: [] };
    return owners.find((l) => lanes[l]!.path === key.value) ?? owners[0] ?? -1;
  });
}

/** The name of the steps: as the URL says, else what they are most likely. */
function chooseSteps({ place }: App, whole: ReadonlySignal<Fetched<WireAllocator>>) {
  const key = place.key("alloc.steps");
  return computed(() => {
    const names = whole.value.value?.data.steps.map(({ name }) => name) ?? [];
    return names.find((name) => name === key.value) ?? names[0] ?? null;
  });
}

function readMemories(wire: WireLanes | null): Memories | null {
  if (wire?.key === undefined || wire.lanes === undefined) return null;
  const lanes = readLanes(wire);
  const owners = lanes.flatMap((lane, l) => (lane.memory?.hasLog === true ? [l] : []));
  return { key: wire.key, lanes, owners, dur_ns: wire.dur_ns };
}
