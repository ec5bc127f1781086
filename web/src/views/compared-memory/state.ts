// Which two memories are compared, at which moment, and how their lines are matched: all as the URL says.
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { readCurve, type Curve, type WireCurve } from "../../lib/allocator-curve";
import { pathOfCapture } from "../../lib/api";
import type { Pair } from "../../lib/comparison";
import type { App } from "../../state/app";
import { createComparedPair, type ComparedPair } from "../../state/compared-pair";
import { followWish, readFetched, type Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { comparedColumns } from "./columns";
import type { ComparedLine, ComparedSide, WireComparedMemory } from "./wire";

/** What of a capture is compared: a device (null: as the server says), and a range of its time ("": all). */
export interface MemoryChoice {
  device: number | null;
  range: string;
}

/** "1~ProfilerStep#3"; in the URL. */
export function parseChoice(text: string | undefined): MemoryChoice {
  const match = /^(\d{0,9})~(.*)$/s.exec(text ?? "");
  return { device: match === null || match[1] === "" ? null : Number(match[1]), range: match?.[2] ?? "" };
}

export const formatChoice = ({ device, range }: MemoryChoice): string | null =>
  device === null && range === "" ? null : `${device ?? ""}~${range}`;

/** Where the curves meet: at their begins, their peaks, or the first range of a name. */
export type Align = "begin" | "peak" | `range ${string}`;

export const alignAtRange = (name: string): Align => `range ${name}`;

/** The time of a side that is the axis' zero; its begin where it has no such range. */
export function zeroOf({ peak, ranges, from_ns }: ComparedSide, align: Align): number {
  if (align === "peak") return peak.at_ns ?? from_ns;
  return ranges.find(({ name }) => alignAtRange(name) === align)?.from_ns ?? from_ns;
}

/** Names of ranges that both have. */
export const commonRanges = ({ a, b }: WireComparedMemory): string[] =>
  a.ranges.map(({ name }) => name).filter((name) => b.ranges.some((other) => other.name === name));

export interface ComparedState extends ComparedPair {
  choice: Pair<ReadonlySignal<MemoryChoice>>;
  /** The other side stays at what it shows, where nobody chose that. */
  setChoice(side: keyof Pair<unknown>, choice: MemoryChoice): void;
  moment: ReadonlySignal<"peak" | "end">;
  setMoment(moment: "peak" | "end"): void;
  join: ReadonlySignal<"function" | "line">;
  setJoin(join: "function" | "line"): void;
  align: ReadonlySignal<Align>;
  setAlign(align: Align): void;
  fetched: ReadonlySignal<Fetched<WireComparedMemory>>;
  list: List<ComparedLine>;
  width_px: Signal<number>;
  curves: Pair<ReadonlySignal<Fetched<Curve>>>;
}

const parseAlign = (text: string | undefined): Align =>
  text === "peak" || text?.startsWith("range ") ? (text as Align) : "begin";

function queryOf(side: "a" | "b", { device, range }: MemoryChoice): string {
  return `${device === null ? "" : `&${side}_device=${device}`}${range === "" ? "" : `&${side}_range=${encodeURIComponent(range)}`}`;
}

export function createCompared(app: App): ComparedState {
  const { api, place } = app;
  const compared = createComparedPair(
    app,
    ({ allocators }) => allocators > 0,
    { before: "memory.before", after: "memory.after" },
    ({ has_memory_parts }) => has_memory_parts,
  );
  const { pair } = compared;
  const [momentKey, joinKey] = [place.key("memory.moment"), place.key("memory.join")];
  const [alignKey, deviceKey] = [place.key("memory.align"), place.key("memory.device")];
  const moment = computed(() => (momentKey.value === "end" ? ("end" as const) : ("peak" as const)));
  const join = computed(() => (joinKey.value === "line" ? ("line" as const) : ("function" as const)));
  const [aKey, bKey] = [place.key("memory.a"), place.key("memory.b")];
  const choice = { before: computed(() => parseChoice(aKey.value)), after: computed(() => parseChoice(bKey.value)) };
  const device = computed(() => (/^\d{1,9}$/.test(deviceKey.value ?? "") ? `&device=${deviceKey.value}` : ""));
  const fetched = followWish(
    computed(() => {
      if (pair.value === null) return null;
      const { before: a, after: b } = pair.value;
      const asked = `${device.value}${queryOf("a", choice.before.value)}${queryOf("b", choice.after.value)}`;
      const path = `/api/v1/compare/memory?with=${encodeURIComponent(a.id)}&by=${join.value}${asked}`;
      return `${a.revision}.${b.revision} ${pathOfCapture(path, b.id)}`;
    }),
    (path, abort) => api.getJson<WireComparedMemory>(path, abort),
    0,
  );
  const width_px = signal(0);
  const curveOf = (side: "a" | "b") =>
    readFetched(
      followWish(
        computed(() => {
          const data = fetched.value.value?.data;
          if (data === undefined || width_px.value === 0) return null;
          const { key, lane, from_ns, to_ns } = data[side];
          const to = Math.max(to_ns, from_ns + 1);
          return `0 /api/v1/allocator/${key}/${lane}/curve?from=${from_ns}&to=${to}&width=${width_px.value}&owners=1`;
        }),
        (path, abort) => api.getJson<WireCurve>(path, abort),
        0,
      ),
      readCurve,
    );
  const shownChoice = (side: "a" | "b"): MemoryChoice => {
    const { range, device: its } = fetched.peek().value?.data[side] ?? { range: null, device: null };
    return { device: its, range: range ?? "" };
  };
  return {
    ...compared,
    swap: () => {
      compared.swap();
      place.adjust({ "memory.a": formatChoice(shownChoice("b")), "memory.b": formatChoice(shownChoice("a")) });
    },
    choice,
    setChoice: (side, next) =>
      place.adjust({
        "memory.a": formatChoice(side === "before" ? next : shownChoice("a")),
        "memory.b": formatChoice(side === "after" ? next : shownChoice("b")),
      }),
    moment,
    setMoment: (next) => place.adjust({ "memory.moment": next === "peak" ? null : next }),
    join,
    setJoin: (next) => place.adjust({ "memory.join": next === "function" ? null : next }),
    align: computed(() => parseAlign(alignKey.value)),
    setAlign: (next) => place.adjust({ "memory.align": next === "begin" ? null : next }),
    fetched,
    list: createList<ComparedLine>(place, {
      rows: () => fetched.value.value?.data[moment.value] ?? [],
      columns: () => comparedColumns(fetched.value.value?.data[moment.value] ?? []),
      keyOf: (row) => row.name,
      textOf: (row) => row.name,
      keys: { text: "memory.filter", order: "memory.order", chosen: "memory.row" },
    }),
    width_px,
    curves: { before: curveOf("a"), after: curveOf("b") },
  };
}
