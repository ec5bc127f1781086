// The marks of a vizd that shares its page (--shared): places with a note, put there by commands and by people. The
// event stream tells when they change.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Api } from "../lib/api";
import { formatPlace, type Place } from "../lib/place";
import type { WireMark, WireMarks } from "../lib/wire";
import type { NoticeState } from "./notices";
import type { SessionState } from "./session";

export interface MarkState {
  /** Whether this vizd takes any. */
  isShared: ReadonlySignal<boolean>;
  all: ReadonlySignal<readonly WireMark[]>;
  /** The last that a command put there, until it is dismissed. */
  newest: ReadonlySignal<WireMark | null>;
  dismiss(): void;
  add(place: Place, note: string): Promise<void>;
  remove(mark: WireMark): Promise<void>;
  /** They have come to that revision. */
  hear(revision: number): void;
}

const kTopic = "marks";
const kPath = "/api/v1/marks";

export function createMarks(api: Api, session: SessionState, notices: NoticeState): MarkState {
  const all = signal<readonly WireMark[]>([]);
  const dismissed = signal(0);
  let revision = -1;

  const newest = computed(() => {
    const last = all.value.filter(({ by }) => by === "command").at(-1);
    return last !== undefined && last.number > dismissed.value ? last : null;
  });

  async function load(): Promise<void> {
    const answer = await api.getJson<WireMarks>(kPath);
    if (!answer.ok) return notices.show(kTopic, answer.error);
    if (answer.value.revision < revision) return; // an older answer came last
    revision = answer.value.revision;
    all.value = answer.value.marks;
    notices.clear(kTopic);
  }

  async function send(what: object): Promise<void> {
    const answer = await api.sendBytes(kPath, new Blob([JSON.stringify(what)]));
    if (!answer.ok) return notices.show(kTopic, answer.error);
    await load();
  }

  return {
    isShared: computed(() => session.info.value?.shared === true),
    all,
    newest,
    dismiss: () => (dismissed.value = newest.peek()?.number ?? dismissed.peek()),
    add(place, note) {
      const capture = session.capture.peek()?.id ?? "";
      return send({ capture, place: formatPlace(place).slice(1), note, by: "page" });
    },
    remove: ({ number }) => send({ remove: number }),
    hear(told) {
      if (told !== revision) void load();
    },
  };
}
