// Questions that the timeline asks its profile by itself: for the selected event's detail, and for the search's hits.
import { effect } from "@preact/signals";
import { kNotInReport } from "../../../lib/report";
import type { TimelineSignals } from "./signals";
import type { TimelineState } from "./timeline-state";

const kTyping_ms = 80;

type Ask = TimelineState["ask"];

export function createAsk({ source, problem }: Pick<TimelineSignals, "source" | "problem">): Ask {
  return async (question, then, otherwise) => {
    const asked = source.peek();
    if (asked === null) return;
    const answer = await question(asked);
    if (source.peek() !== asked) return;
    if (answer.ok) {
      if (problem.peek()?.kind === kNotInReport) problem.value = null;
      return then(answer.value);
    }
    if (answer.error.kind !== "not_found") problem.value = answer.error;
    otherwise?.();
  };
}

export function followSelection({ source, selectedEvent, detail }: TimelineSignals, ask: Ask): void {
  effect(() => {
    const event = selectedEvent.value;
    if (source.value === null || event === null) {
      detail.value = null;
      return;
    }
    if (detail.peek()?.item !== event) detail.value = null;
    ask(
      (asked) => asked.detail(event),
      (answer) => {
        if (selectedEvent.peek() === event) detail.value = answer;
      },
    );
  });
}

export function followSearch({ source, find, hits, hitOrder }: TimelineSignals, ask: Ask): void {
  effect(() => {
    const [text, order] = [find.value, hitOrder.value];
    if (source.value === null || text.trim() === "") {
      hits.value = null;
      return;
    }
    const search = () =>
      ask(
        (asked) => asked.search(text, order),
        (answer) => {
          if (find.peek() === text && hitOrder.peek() === order) hits.value = answer;
        },
      );
    const timer = setTimeout(search, kTyping_ms);
    return () => clearTimeout(timer);
  });
}
