// Under the graph: step through the matches of the pass by button, key or strip, or let them play.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { createFrameLoop, sizeCanvas, type FrameLoop } from "../draw/canvas";
import { drawStrip } from "../draw/strip";
import { touchingStates } from "../lib/step-changes";
import { stateAt } from "../lib/strip-bins";
import { formatCount, formatDuration, nameOfPath } from "../lib/text";
import { useApp, useCommand } from "./app-context";
import { KeyCap } from "./key-cap";
import { usePalette } from "./use-palette";

export function Scrubber() {
  const { graph, place } = useApp();
  const shown = graph.shown.value;
  const go = (state: number) => graph.goToState(state);
  const step = (by: number) => go(place.part.match.peek() + by);
  const last = (shown?.loaded.model.stateCount ?? 1) - 1;
  const tenth = Math.max(Math.round(last / 10), 1);
  const player = usePlayer(last);

  useCommand("match.previous", () => step(-1));
  useCommand("match.next", () => step(1));
  useCommand("match.back", () => step(-tenth));
  useCommand("match.ahead", () => step(tenth));
  useCommand("match.first", () => go(0));
  useCommand("match.last", () => go(last));
  useCommand("match.previousTouching", () => go(graph.findTouching(-1) ?? place.part.match.peek()));
  useCommand("match.nextTouching", () => go(graph.findTouching(1) ?? place.part.match.peek()));
  useCommand("match.play", player.turn);
  if (shown === null || last === 0) return null;
  return (
    <div class="scrubber">
      <div class="scrubber-row">
        <button class="cap" aria-label="Previous match" title="Previous match (←)" onClick={() => step(-1)}>
          ◀
        </button>
        <button class="cap" aria-label="Next match" title="Next match (→)" onClick={() => step(1)}>
          ▶
        </button>
        <button class="cap" aria-pressed={player.plays} title="Play (K)" onClick={player.turn}>
          {player.plays ? "stop" : "play"}
        </button>
        <MatchLine />
        {graph.node.value !== null && (
          <button class="quiet touching" onClick={() => go(graph.findTouching(1) ?? shown.state)}>
            next match touching the selection <KeyCap command="match.nextTouching" />
          </button>
        )}
      </div>
      <Strip />
    </div>
  );
}

/** The match in a line: number, rule, size, time. */
function MatchLine() {
  const { graph } = useApp();
  const { loaded, state, changes } = graph.shown.value!;
  const { model } = loaded;
  const rule = model.ruleAt(state);
  if (rule === undefined) return <span class="mono dim">0 · the input graph</span>;
  const dur_ns = model.durationAt(state);
  return (
    <span class="mono match-line" title={rule[2] ?? undefined}>
      {formatCount(state)} · {nameOfPath(rule[0])}:{rule[1]} · <span class="made">+{model.made[state]}</span>{" "}
      <span class="removed">−{model.removed[state]}</span>
      {changes.rewritten.size > 0 && (
        <span class="rewritten" title="Nodes that went on with another label">
          {" "}
          ~{changes.rewritten.size}
        </span>
      )}
      {dur_ns !== null && ` · ${formatDuration(dur_ns)}`}
    </span>
  );
}

/** A whole pass plays in about this long, but no faster than a screen can show and no slower than one can follow. */
const kPlay_s = 20;
const kSlowest_per_s = 4;
const kFastest_per_s = 60;

function usePlayer(last: number): { plays: boolean; turn: () => void } {
  const { graph, place } = useApp();
  const plays = useSignal(false);
  useEffect(() => {
    if (!plays.value) return;
    const perSecond = Math.min(Math.max(last / kPlay_s, kSlowest_per_s), kFastest_per_s);
    const timer = setInterval(() => {
      const match = place.part.match.peek();
      if (match >= last) plays.value = false;
      else graph.goToState(match + 1);
    }, 1000 / perSecond);
    return () => clearInterval(timer);
  }, [plays.value, last, graph, place]);
  return {
    plays: plays.value,
    turn: () => {
      if (!plays.value && place.part.match.peek() >= last) graph.goToState(0);
      plays.value = !plays.value;
    },
  };
}

const kHeight_px = 44;

function Strip() {
  const { graph, theme } = useApp();
  const palette = usePalette();
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useSignal(0);
  const loop = useRef<FrameLoop | null>(null);

  const draw = () => {
    const shown = graph.shown.peek();
    if (canvas.current === null || shown === null || width.peek() === 0) return;
    const ratio = sizeCanvas(canvas.current, width.peek(), kHeight_px);
    const { model } = shown.loaded;
    const node = graph.node.peek();
    drawStrip(canvas.current.getContext("2d", { alpha: false })!, {
      model,
      state: shown.state,
      width: width.peek(),
      height: kHeight_px,
      palette: palette(),
      ratio,
      touching: node === null ? [] : touchingStates(model, node),
    });
  };
  useEffect(() => {
    const frames = (loop.current = createFrameLoop(draw));
    const observer = new ResizeObserver(([entry]) => (width.value = entry?.contentRect.width ?? 0));
    observer.observe(canvas.current!.parentElement!);
    return () => {
      observer.disconnect();
      frames.stop();
    };
  }, []);
  useSignalEffect(() => {
    void [graph.shown.value, graph.node.value, theme.shown.value, width.value];
    loop.current?.request();
  });

  const shown = graph.shown.value!;
  const { stateCount } = shown.loaded.model;
  const scrub = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    graph.goToState(stateAt((event.clientX - box.left) / box.width, stateCount));
  };
  return (
    <div
      class="strip"
      role="slider"
      tabIndex={0}
      aria-label="Match"
      aria-valuemin={0}
      aria-valuemax={stateCount - 1}
      aria-valuenow={shown.state}
      aria-valuetext={`match ${shown.state} of ${stateCount - 1}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && scrub(event)}
    >
      <canvas ref={canvas} style={{ width: "100%", height: `${kHeight_px}px` }} />
    </div>
  );
}
