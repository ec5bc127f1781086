// The kernel graph of the capture on screen, and what of it is chosen: a run (by its number and lane's name) or a
// buffer, both in the URL.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import { stripAnsi } from "../../lib/ansi";
import { linkToEvent } from "../../lib/links";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import {
  costsOf,
  usesByBuffer,
  writersByUse,
  usesByRun,
  type BufferKey,
  type Costs,
  type WireKernelGraph,
} from "./graph";

export interface KernelGraphState {
  fetched: ReadonlySignal<Fetched<WireKernelGraph>>;
  graph: ReadonlySignal<WireKernelGraph | null>;
  byRun: ReadonlySignal<readonly number[][]>;
  byBuffer: ReadonlySignal<ReadonlyMap<BufferKey, number[]>>;
  /** By use that reads: the run that wrote its buffer before. */
  writerOf: ReadonlySignal<ReadonlyMap<number, number>>;
  costs: ReadonlySignal<Costs>;
  /** Its place, or -1. */
  run: ReadonlySignal<number>;
  buffer: ReadonlySignal<BufferKey | null>;
  /** Runs that the chosen run or buffer leads to. */
  near: ReadonlySignal<ReadonlySet<number>>;
  choose(run: number): void;
  chooseBuffer(buffer: BufferKey | null): void;
  goToRewrites(run: number): void;
  goToTimeline(run: number): void;
}

export function createKernelGraph({ api, session, place, chosen }: App): KernelGraphState {
  const wish = computed(() => {
    const capture = session.capture.value;
    return capture === null ? null : `${capture.revision} ${pathOfCapture("/api/v1/kernel-graph", capture.id)}`;
  });
  const fetched = followWish(wish, (path, abort) => api.getJson<WireKernelGraph>(path, abort));
  const graph = computed(() => fetched.value.value?.data ?? null);
  const byRun = computed(() => (graph.value === null ? [] : usesByRun(graph.value)));
  const byBuffer = computed(() => (graph.value === null ? new Map<BufferKey, number[]>() : usesByBuffer(graph.value)));
  const writerOf = computed(() => (graph.value === null ? new Map<number, number>() : writersByUse(graph.value)));
  const nameOf = (run: number) => {
    const { number, lane } = graph.value!.runs[run]!;
    return `${number}@${lane}`;
  };
  const run = computed(() => {
    const name = place.keys.value["run"];
    return name === undefined || graph.value === null ? -1 : graph.value.runs.findIndex((_, i) => nameOf(i) === name);
  });
  const buffer = computed(() => {
    const name = place.keys.value["buffer"];
    return name !== undefined && byBuffer.value.has(name) ? name : null;
  });
  const near = computed(() => {
    const near = new Set<number>();
    if (graph.value === null) return near;
    const { edges, uses } = graph.value;
    if (buffer.value !== null) for (const use of byBuffer.value.get(buffer.value)!) near.add(uses.run[use]!);
    else if (run.value >= 0) {
      edges.from.forEach((from, i) => {
        if (from === run.value) near.add(edges.to[i]!);
        if (edges.to[i] === run.value) near.add(from);
      });
    }
    return near;
  });
  return {
    fetched,
    graph,
    byRun,
    byBuffer,
    writerOf,
    costs: computed(() => (graph.value === null ? { unit: "ns", of: [], most: 0 } : costsOf(graph.value))),
    run,
    buffer,
    near,
    choose: (next) => place.adjust({ run: next < 0 ? null : nameOf(next), buffer: null }),
    chooseBuffer: (next) => place.adjust({ buffer: next }),
    goToRewrites(at) {
      const context = graph.value?.runs[at]?.context;
      if (context !== null && context !== undefined) chosen.goToPass(context, 0, 0);
    },
    goToTimeline(at) {
      const found = graph.value?.runs[at];
      if (found === undefined || found.event === null) return;
      const { lane, event, dur_ns, name } = found;
      place.follow(linkToEvent({ lane, ...event, dur_ns, name: stripAnsi(name) }));
    },
  };
}
