// The handlers of commands. A view binds its commands while it is on screen; where two bind the same, the last one
// answers, or the one before it where the last has nothing to do.
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { nameKey, type Command } from "../lib/keys";

/** Does what a command says; false where there was nothing to do. */
export type Handler = () => unknown;

export interface CommandState {
  /** Commands that somebody answers, in the order of the table. */
  available: ReadonlySignal<readonly Command[]>;
  /** Returns what unbinds it again. */
  bind(id: string, run: Handler): () => void;
  run(id: string): boolean;
  /** Runs it as soon as somebody answers it, unless that takes longer than a view takes to open. */
  runOnceBound(id: string): void;
  /** The command of an id; undefined where none has it. */
  find(id: string): Command | undefined;
  /** Runs what a key means; false where nobody answers it. Bind to the window's keydown. */
  pressKey(event: KeyboardEvent): boolean;
}

/** table: all commands there are. */
export function createCommands(table: readonly Command[]): CommandState {
  const handlers = new Map<string, Handler[]>();
  const available = signal<readonly Command[]>([]);
  const refresh = () => (available.value = table.filter((command) => handlers.get(command.id)?.length));

  function run(id: string): boolean {
    const stack = handlers.get(id) ?? [];
    for (let last = stack.length - 1; last >= 0; last--) {
      if (stack[last]!() !== false) break;
    }
    return stack.length > 0;
  }

  return {
    available,
    bind(id, handler) {
      const stack = handlers.get(id) ?? [];
      handlers.set(id, stack);
      stack.push(handler);
      if (stack.length === 1) refresh();
      return () => {
        stack.splice(stack.lastIndexOf(handler), 1);
        if (stack.length === 0) refresh();
      };
    },
    run,
    runOnceBound(id) {
      const stop = effect(() => {
        if (!available.value.some((command) => command.id === id)) return;
        // Once the effect has a name to be stopped by, and what binds has drawn itself.
        setTimeout(() => {
          stop();
          run(id);
        });
      });
      setTimeout(stop, kOpening_ms);
    },
    find: (id) => table.find((command) => command.id === id),
    pressKey(event) {
      const key = nameKey(event);
      if (keepsKey(event.target, key)) return false;
      for (const command of table) {
        if (command.keys.includes(key) && run(command.id)) {
          event.preventDefault();
          return true;
        }
      }
      return false;
    },
  };
}

const kOpening_ms = 5000;

/**
 * Whether a key belongs to the control that has the focus: text being typed, a pressed button, a text being scrolled.
 */
function keepsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (key.startsWith("Ctrl+") || key === "Escape") return false;
  if (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  ) {
    return true;
  }
  const isPress = key === "Enter" || key === "Space";
  if (isPress && target.closest("button, a, summary, [role=tab]") !== null) return true;
  return /^(Arrow(Up|Down)|Page|Home|End|Space)/.test(key) && target.closest("[data-scrolls]") !== null;
}
