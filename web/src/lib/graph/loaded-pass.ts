// A pass as far as it has arrived: the events of its stream, one after another, make a new LoadedPass each.
import type { ServerEvent } from "../sse";
import { PassLayout } from "./pass-layout";
import { PassModel } from "./pass-model";
import type { WireGraph, WireLayout, WireMatches } from "./wire";

export interface LoadedPass {
  /** Names the capture, context and pass; equal keys are the same pass, maybe of another revision. */
  key: string;
  revision: number;
  /** Grows in place; a new LoadedPass tells that it did. */
  model: PassModel;
  layouts: readonly PassLayout[];
  done: boolean;
}

/** The key of a pass, by its capture and the places of its context and of itself. */
export const keyOfPass = (capture: string, context: number | string, pass: number | string) =>
  `${capture} ${context} ${pass}`;

/** Takes one event of the stream; those that bring nothing of the graph leave the pass as it is. */
export function takePassEvent(
  pass: LoadedPass | null,
  event: ServerEvent,
  key: string,
  revision: number,
): LoadedPass | null {
  if (event.name === "graph") {
    const graph = JSON.parse(event.data) as WireGraph;
    const model = new PassModel(graph);
    return { key, revision, model, layouts: [PassLayout.readFirst(graph, model)], done: false };
  }
  if (pass === null) return null;
  switch (event.name) {
    case "matches":
      pass.model.addMatches(JSON.parse(event.data) as WireMatches);
      return { ...pass };
    case "layout": {
      const layout = PassLayout.read(JSON.parse(event.data) as WireLayout, pass.model);
      return { ...pass, layouts: [...pass.layouts.filter((other) => !other.isOfSame(layout)), layout] };
    }
    case "done":
      return { ...pass, done: true };
    default:
      return pass;
  }
}

/** The layout for a state: the latest that covers it. */
export function layoutFor(pass: LoadedPass, state: number): PassLayout | null {
  return pass.layouts.findLast((layout) => layout.from <= state && state <= layout.to) ?? pass.layouts.at(-1) ?? null;
}
