// A step as far as it has arrived: the events of its stream, one after another, make a new LoadedStep each.
import type { ServerEvent } from "./sse";
import { StepLayout } from "./step-layout";
import { StepModel } from "./step-model";
import type { WireGraph, WireLayout, WireMatches } from "./wire";

export interface LoadedStep {
  /** Of the capture, context and step; equal keys are the same step, maybe of another revision. */
  key: string;
  revision: number;
  /** Grows in place; a new LoadedStep tells that it did. */
  model: StepModel;
  layouts: readonly StepLayout[];
  done: boolean;
}

/** Takes one event of the stream; those that bring nothing of the graph leave the step as it is. */
export function takeStepEvent(
  step: LoadedStep | null,
  event: ServerEvent,
  key: string,
  revision: number,
): LoadedStep | null {
  if (event.name === "graph") {
    const graph = JSON.parse(event.data) as WireGraph;
    const model = new StepModel(graph);
    return { key, revision, model, layouts: [StepLayout.readFirst(graph, model)], done: false };
  }
  if (step === null) return null;
  switch (event.name) {
    case "matches":
      step.model.addMatches(JSON.parse(event.data) as WireMatches);
      return { ...step };
    case "layout": {
      const layout = StepLayout.read(JSON.parse(event.data) as WireLayout, step.model);
      return { ...step, layouts: [...step.layouts.filter((l) => l.epoch !== layout.epoch), layout] };
    }
    case "done":
      return { ...step, done: true };
    default:
      return step;
  }
}

/** The layout for a state: the latest that covers it. */
export function layoutFor(step: LoadedStep, state: number): StepLayout | null {
  return step.layouts.findLast((layout) => layout.from <= state && state <= layout.to) ?? step.layouts.at(-1) ?? null;
}
