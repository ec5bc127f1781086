// Steps from event to event, one after another: each starts from where the one before ended, so that keys pressed
// faster than answers come lead where slow ones do. Steps that wait and go the same way are taken at once.
import type { ProgramText } from "../../../lib/links";
import type { EventItem } from "../../../lib/timeline/events";
import type { Steps, TimelineState } from "./timeline-state";

/** Goes so many steps on, or back where `by` is below 0. */
type Move = (by: number) => Promise<void>;

export function createSteps(timeline: Omit<TimelineState, "steps">): Steps {
  const take = createQueue();
  const { ask } = timeline;
  const show = (item: EventItem | null) => item !== null && timeline.show(item);
  const selected = () => timeline.selectedEvent.peek();

  const inRow: Move = async (by) => {
    const from = selected();
    if (from !== null) return ask((source) => source.stepInRow(from, by), show);
    await ask((source) => source.firstAfter(timeline.range.peek().from), show);
    if (Math.abs(by) > 1 && selected() !== null) await inRow(by - Math.sign(by));
  };
  const inName: Move = async (by) => {
    const from = selected();
    if (from !== null) await ask((source) => source.stepName(from, by), show);
  };
  const inHits: Move = (by) =>
    ask(
      (source) => source.stepHit(timeline.find.peek(), timeline.hit.peek(), by),
      (item) => {
        timeline.hit.value = item;
        show(item);
        if (item !== null) timeline.tab.value = "search";
      },
    );
  const alongFlow: Move = async (by) => {
    for (let left = Math.abs(by); left > 0; left--) {
      const from = selected();
      if (from === null) return;
      await ask(
        (source) => source.detail(from),
        ({ outgoing, incoming }) => show((by > 0 ? outgoing : incoming)[0] ?? null),
      );
    }
  };
  const open: Move = async () => {
    const event = selected();
    if (event !== null) timeline.open(event);
  };

  const openText = (text: ProgramText): Move => {
    return async () => {
      const event = selected();
      if (event !== null) timeline.openProgram(event, text);
    };
  };
  const openers = { source: openText("source"), machine: openText("machine") };

  return {
    openProgram: (text) => take(openers[text], 1),
    inRow: (by) => take(inRow, by),
    inName: (by) => take(inName, by),
    inHits: (by) => take(inHits, by),
    alongFlow: (by) => take(alongFlow, by),
    open: () => take(open, 1),
  };
}

/** Returns a function that makes a move as soon as those before it have ended. Moves are told apart by identity. */
export function createQueue(): (move: Move, by: 1 | -1) => void {
  const waiting: { move: Move; by: number }[] = [];
  let isWorking = false;

  async function work(): Promise<void> {
    isWorking = true;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next.move(next.by);
    } finally {
      isWorking = false;
    }
  }

  return (move, by) => {
    const last = waiting.at(-1);
    if (last !== undefined && last.move === move && Math.sign(last.by) === by) last.by += by;
    else waiting.push({ move, by });
    if (!isWorking) void work();
  };
}
