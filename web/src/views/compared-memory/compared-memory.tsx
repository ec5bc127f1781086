// Two memory snapshots compared: both curves on one axis, then line by line what grew, came and went, at the peak of
// each or at its end.
import { effect, useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { createFrameLoop, sizeCanvas } from "../../draw/canvas";
import { drawTwoCurves, type TwoCurves } from "../../draw/allocator/two-curves";
import { readPalette } from "../../draw/palette";
import { formatBytes } from "../../lib/bytes";
import { formatPercent } from "../../lib/comparison";
import { signOf } from "../../lib/memory";
import type { OpenView } from "../view";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { KeyCap } from "../parts/key-cap";
import { ListExport, ListFilter, ListTable, useListCommands, WhenFetched } from "../parts/list-view/list-view";
import { createCompared, type ComparedState } from "./state";
import type { WireComparedMemory } from "./wire";
import "./compared-memory.css";

export const openComparedMemory: OpenView = (app) => {
  const state = createCompared(app);
  return () => <ComparedMemory state={state} />;
};

function ComparedMemory({ state }: { state: ComparedState }) {
  useListCommands(state.list, { previous: "comparedMemory.previous", next: "comparedMemory.next" });
  useCommand("comparedMemory.swap", state.swap);
  useCommand("comparedMemory.peak", () => state.setMoment("peak"));
  useCommand("comparedMemory.end", () => state.setMoment("end"));
  if (state.pair.value === null) {
    return (
      <Blank
        title="There is nothing to compare with"
        lines={["Open a second snapshot: name both on the command line.", "  vizd yesterday.pickle today.pickle"]}
      />
    );
  }
  return (
    <div class="compared-memory">
      <Head state={state} />
      <WhenFetched fetched={state.fetched.value} waiting="Comparing" broken="The memories cannot be compared">
        {(data) => (
          <>
            <Verdict state={state} data={data} />
            <Curves state={state} data={data} />
            <div class="compared-memory-tools">
              <ListFilter list={state.list} hint="Filter lines" label="Filter lines" />
              <span class="dim">
                {state.moment.value === "peak" ? "allocated at each one's own peak" : "allocated at each one's end"}
              </span>
              <ListExport list={state.list} name="memory compared" />
            </div>
            <div class="scroll" data-scrolls tabIndex={0}>
              <ListTable list={state.list} label="What grew" nothing="Neither holds anything then." />
            </div>
          </>
        )}
      </WhenFetched>
    </div>
  );
}

function Head({ state }: { state: ComparedState }) {
  return (
    <header class="compared-memory-tools">
      <Side state={state} side="before" title="before (A)" />
      <button class="pill" onClick={state.swap}>
        Swap <KeyCap command="comparedMemory.swap" />
      </button>
      <Side state={state} side="after" title="after (B)" />
      <span role="radiogroup" aria-label="When" class="choices">
        {(["peak", "end"] as const).map((moment) => (
          <button
            key={moment}
            role="radio"
            aria-checked={state.moment.value === moment}
            onClick={() => state.setMoment(moment)}
          >
            at the {moment} <KeyCap command={`comparedMemory.${moment}`} />
          </button>
        ))}
      </span>
      <label>
        <span class="dim">lines matched by</span>{" "}
        <select
          class="choice"
          value={state.join.value}
          onChange={(event) => state.setJoin(event.currentTarget.value as "function" | "line")}
        >
          <option value="function">line, or function where it moved</option>
          <option value="line">line</option>
        </select>
      </label>
      <label>
        <span class="dim">curves begin</span>{" "}
        <select
          class="choice"
          value={state.align.value}
          onChange={(event) => state.setAlign(event.currentTarget.value as "begin" | "peak")}
        >
          <option value="begin">together</option>
          <option value="peak">so that their peaks meet</option>
        </select>
      </label>
    </header>
  );
}

function Side({ state, side, title }: { state: ComparedState; side: "before" | "after"; title: string }) {
  const { session } = useApp();
  const pair = state.pair.value!;
  const other = side === "before" ? pair.after : pair.before;
  return (
    <label>
      <span class="dim">{title}</span>{" "}
      <select
        class="choice"
        value={pair[side].name}
        onChange={({ currentTarget: { value } }) =>
          value === other.name ? state.swap() : state.choose({ [side]: value })
        }
      >
        {state.captures.value.map(({ id, name }) => (
          <option key={id} value={name}>
            {session.labels.value.get(id)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Verdict({ state, data: { a, b } }: { state: ComparedState; data: WireComparedMemory }) {
  const isPeak = state.moment.value === "peak";
  const [before, after] = isPeak ? [a.peak_bytes, b.peak_bytes] : [a.end_bytes, b.end_bytes];
  const change = after - before;
  return (
    <p class="compared-memory-verdict">
      <strong class={change > 0 ? "removed" : change < 0 ? "made" : ""}>
        {change === 0
          ? "As much as before"
          : `${signOf(change)}${formatBytes(Math.abs(change))} ${isPeak ? "at the peak" : "at the end"}`}
      </strong>{" "}
      {formatBytes(before)} → {formatBytes(after)}
      {before > 0 && <span class="dim"> ({formatPercent((100 * change) / before)})</span>}
      <span class="dim">
        {" "}
        · reserved at most {formatBytes(a.reserved_bytes)} → {formatBytes(b.reserved_bytes)}
      </span>
    </p>
  );
}

const kHeight_px = 170;

function Curves({ state, data }: { state: ComparedState; data: WireComparedMemory }) {
  const { theme } = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const box = canvas.current!.parentElement!;
    const observer = new ResizeObserver(() => (state.width_px.value = box.clientWidth));
    observer.observe(box);
    return () => observer.disconnect();
  }, [state]);
  const scene = useComputed<TwoCurves | null>(() => {
    void theme.shown.value;
    const [before, after] = [state.curves.before.value.value?.data, state.curves.after.value.value?.data];
    const known = state.fetched.value.value?.data;
    if (before === undefined || after === undefined || known === undefined) return null;
    const zeroOf = (side: WireComparedMemory["a"]) =>
      state.align.value === "peak" ? (side.peak.at_ns ?? side.from_ns) : side.from_ns;
    return {
      width_px: state.width_px.value,
      height_px: kHeight_px,
      before: { curve: before, zero_ns: zeroOf(known.a), end_ns: known.a.to_ns },
      after: { curve: after, zero_ns: zeroOf(known.b), end_ns: known.b.to_ns },
      palette: readPalette(document.documentElement),
    };
  });
  useEffect(() => {
    const element = canvas.current!;
    const ctx = element.getContext("2d")!;
    const loop = createFrameLoop(() => {
      const shown = scene.peek();
      if (shown === null) return;
      const ratio = sizeCanvas(element, shown.width_px, shown.height_px);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawTwoCurves(ctx, shown);
    });
    const stop = effect(() => {
      void scene.value;
      loop.request();
    });
    return () => {
      stop();
      loop.stop();
    };
  }, [scene]);
  return (
    <div class="compared-memory-curves">
      <canvas
        ref={canvas}
        style={{ height: `${kHeight_px}px` }}
        role="img"
        aria-label={`Allocated bytes of both: peaks of ${formatBytes(data.a.peak_bytes)} and ${formatBytes(data.b.peak_bytes)}`}
      />
    </div>
  );
}
