// Two memory snapshots compared: both curves on one axis, then line by line what grew, came and went, at the peak of
// each or at its end.
import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { drawTwoCurves, type TwoCurves } from "../../draw/allocator/two-curves";
import { readPalette } from "../../draw/palette";
import { formatBytes } from "../../lib/bytes";
import { formatPercent } from "../../lib/comparison";
import { signOf } from "../../lib/memory";
import type { OpenView } from "../view";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { useDrawing, useWidth } from "../parts/drawn-canvas";
import { KeyCap } from "../parts/key-cap";
import { ListExport, ListFilter, ListTable, useListCommands, WhenFetched } from "../parts/list-view/list-view";
import { PairChoice } from "../parts/pair-choice";
import {
  alignAtRange,
  commonRanges,
  createCompared,
  zeroOf,
  type Align,
  type ComparedState,
  type MemoryChoice,
} from "./state";
import type { ComparedSide, WireComparedMemory } from "./wire";
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
        lines={[
          "It has neither steps nor devices to compare. Open a second snapshot: name both on the command line.",
          "  vizd yesterday.pickle today.pickle",
        ]}
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
  const known = state.fetched.value.value?.data;
  return (
    <header class="compared-memory-tools">
      <PairChoice compared={state} command="comparedMemory.swap" />
      {known !== undefined && (
        <>
          <PartChoice state={state} side="before" of={known.a} />
          <PartChoice state={state} side="after" of={known.b} />
        </>
      )}
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
          onChange={(event) => state.setAlign(event.currentTarget.value as Align)}
        >
          <option value="begin">together</option>
          <option value="peak">so that their peaks meet</option>
          {(known === undefined ? [] : commonRanges(known)).map((name) => (
            <option key={name} value={alignAtRange(name)}>
              so that their first {name} meet
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}

interface PartProps {
  state: ComparedState;
  side: "before" | "after";
  of: ComparedSide;
}

/** Which device, and which step or other range of the program. */
function PartChoice({ state, side, of }: PartProps) {
  const { device, devices, range, named } = of;
  const letter = side === "before" ? "A" : "B";
  const choose = (next: Partial<MemoryChoice>) => state.setChoice(side, { device, range: range ?? "", ...next });
  return (
    <>
      {devices.length > 1 && (
        <label>
          <span class="dim">{letter}:</span>{" "}
          <select
            class="choice"
            aria-label={`Device ${side}`}
            value={device}
            onChange={(event) => choose({ device: Number(event.currentTarget.value), range: "" })}
          >
            {devices.map((number) => (
              <option key={number} value={number}>
                device {number}
              </option>
            ))}
          </select>
        </label>
      )}
      {named.length > 0 && (
        <label>
          <span class="dim">{letter} in</span>{" "}
          <select
            class="choice"
            aria-label={`Range ${side}`}
            value={range ?? ""}
            onChange={(event) => choose({ range: event.currentTarget.value })}
          >
            <option value="">all of it</option>
            {named.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
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
  useWidth(canvas, (px) => (state.width_px.value = px));
  const scene = useComputed<TwoCurves | null>(() => {
    void theme.shown.value;
    const [before, after] = [state.curves.before.value.value?.data, state.curves.after.value.value?.data];
    const known = state.fetched.value.value?.data;
    if (before === undefined || after === undefined || known === undefined) return null;
    const align = state.align.value;
    return {
      width_px: state.width_px.value,
      height_px: kHeight_px,
      before: { curve: before, zero_ns: zeroOf(known.a, align), from_ns: known.a.from_ns, end_ns: known.a.to_ns },
      after: { curve: after, zero_ns: zeroOf(known.b, align), from_ns: known.b.from_ns, end_ns: known.b.to_ns },
      palette: readPalette(document.documentElement),
    };
  });
  useDrawing(canvas, { scene, sizeOf: (shown) => shown, draw: drawTwoCurves });
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
