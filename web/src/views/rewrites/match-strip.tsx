// The pass at a glance, and its slider: what each match made and removed, with the playhead; a press or a drag scrubs.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { createFrameLoop, sizeCanvas, type FrameLoop } from "../../draw/canvas";
import { drawStrip } from "../../draw/graph/strip";
import { touchingStates } from "../../lib/graph/pass-changes";
import type { PassModel } from "../../lib/graph/pass-model";
import { stateAt } from "../../lib/graph/strip-bins";
import { formatCount, nameOfPath } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";
import { usePalette } from "../parts/use-palette";

const kHeight_px = 44;

export function MatchStrip() {
  const { theme } = useApp();
  const { graph, diff, errors } = useRewrites();
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
      errors: errors.peek().keys(),
      mark: diff.isMarkHere.peek() ? diff.mark.peek()!.state : null,
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
    void [
      graph.shown.value,
      graph.node.value,
      diff.mark.value,
      diff.isMarkHere.value,
      errors.value,
      theme.shown.value,
      width.value,
    ];
    loop.current?.request();
  });

  const shown = graph.shown.value!;
  const { stateCount } = shown.loaded.model;
  const scrub = (event: StripEvent) => graph.goToState(stateUnder(event, stateCount));
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
      onPointerMove={(event) => {
        if (event.buttons === 1) scrub(event);
        const state = stateUnder(event, stateCount);
        event.currentTarget.title = sayMatch(shown.loaded.model, state, errors.peek().get(state));
      }}
    >
      <canvas ref={canvas} style={{ width: "100%", height: `${kHeight_px}px` }} />
    </div>
  );
}

type StripEvent = PointerEvent & { currentTarget: HTMLElement };

function stateUnder(event: StripEvent, stateCount: number): number {
  const box = event.currentTarget.getBoundingClientRect();
  return stateAt((event.clientX - box.left) / box.width, stateCount);
}

function sayMatch(model: PassModel, state: number, error: string | undefined): string {
  const rule = model.ruleAt(state);
  if (rule === undefined) return state === 0 ? "the input" : `match ${formatCount(state)} is on its way`;
  const size = `+${model.made[state]} −${model.removed[state]}`;
  const raised = error === undefined ? "" : ` · raised: ${error}`;
  return `match ${formatCount(state)} · ${nameOfPath(rule[0])}:${rule[1]} · ${size}${raised}`;
}
