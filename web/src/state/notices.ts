// Problems that the user should know of: each is shown in a banner until dismissed or mended. One notice a topic, so
// that a server that is away does not fill the page.
import { signal, type ReadonlySignal } from "@preact/signals";
import type { Problem } from "../lib/result";

export interface Notice {
  topic: string;
  problem: Problem;
}

export interface NoticeState {
  list: ReadonlySignal<readonly Notice[]>;
  show(topic: string, problem: Problem): void;
  clear(topic: string): void;
}

export function createNotices(): NoticeState {
  const list = signal<readonly Notice[]>([]);
  const without = (topic: string) => list.value.filter((notice) => notice.topic !== topic);
  return {
    list,
    show(topic, problem) {
      if (problem.kind === "aborted") return;
      list.value = [...without(topic), { topic, problem }];
    },
    clear(topic) {
      if (list.value.some((notice) => notice.topic === topic)) list.value = without(topic);
    },
  };
}
