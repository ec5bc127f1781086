// The call tree of the capture on screen, and which of its places are open, all as the URL says.
import { computed, type ReadonlySignal } from "@preact/signals";
import type { WireCallNode } from "../../lib/devices";
import type { App } from "../../state/app";
import { followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";

export interface CallTreeState {
  tree: ReadonlySignal<Fetched<{ nodes: WireCallNode[] }>>;
  /** The words that names have to hold. */
  text: ReadonlySignal<string>;
  setText(text: string): void;
  /** Nodes of the tree by keysOfNodes: those that are not as at first, and the one that the cursor is on. */
  toggled: ReadonlySignal<ReadonlySet<string>>;
  toggle(key: string): void;
  chosen: ReadonlySignal<string | undefined>;
  choose(key: string): void;
}

export function createCallTree(app: App, isShown: ReadonlySignal<boolean>): CallTreeState {
  const { place } = app;
  const [text, keys] = [place.key("calltext"), place.key("calltree")];
  const toggled = computed(() => new Set(keys.value?.split(".")));
  return {
    tree: followScoped(app, isShown, () => "/api/v1/call-tree"),
    text: computed(() => text.value ?? ""),
    setText: (next) => place.adjust({ calltext: next === "" ? null : next }),
    toggled,
    toggle(key) {
      const next = new Set(toggled.peek());
      if (!next.delete(key)) next.add(key);
      place.adjust({ calltree: next.size === 0 ? null : [...next].join(".") });
    },
    chosen: place.key("callrow"),
    choose: (key) => place.adjust({ callrow: key }),
  };
}
