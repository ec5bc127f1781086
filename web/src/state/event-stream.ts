// Hears of reloads, each by the number of a change; the stream begins with the number of the last one, so that none is
// lost between the answer that the page has and the stream. One event stream a browser, since a browser gives an origin
// six connections only. The tab that holds a Web Lock listens and tells the others over a BroadcastChannel. Where there
// are no locks (plain http to another machine's address), each tab listens for itself.
import { signal, type ReadonlySignal } from "@preact/signals";
import type { Api } from "../lib/api";
import { readEvents } from "../lib/sse";
import type { MarkState } from "./marks";
import type { SessionState } from "./session";

export interface EventStream {
  /** Whether the server is heard from. */
  live: ReadonlySignal<boolean>;
  start(): void;
}

/** change: the last that was heard of; null while none was. */
type Message = { live: boolean; change: number | null } | { ask: true } | { assets: true } | { marks: number };

const kFirstRetryMs = 500;
const kLongestRetryMs = 10_000;

export function createEventStream(api: Api, session: SessionState, marks: MarkState): EventStream {
  const live = signal(false);
  const channel = new BroadcastChannel("vizd.events");
  let leads = false;
  let change: number | null = null;
  let markRevision = 0;

  const tell = () => channel.postMessage({ live: live.value, change } satisfies Message);

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ("ask" in data) {
      if (leads) tell();
      if (leads && markRevision > 0) channel.postMessage({ marks: markRevision } satisfies Message);
    } else if ("marks" in data) {
      marks.hear(data.marks);
    } else if ("assets" in data) {
      location.reload();
    } else {
      live.value = data.live;
      if (data.change !== null) session.hear(data.change);
    }
  };

  function hear(number: number): void {
    change = number;
    tell();
    session.hear(number);
  }

  function setLive(value: boolean): void {
    live.value = value;
    tell();
  }

  /** Listens until the connection ends. */
  async function listen(): Promise<void> {
    const body = await api.openStream("/api/v1/events", new AbortController().signal);
    if (!body.ok) return;
    setLive(true);
    for await (const event of readEvents(body.value)) {
      if (event.name === "assets") {
        // vizd --dev, and the page itself was rebuilt.
        channel.postMessage({ assets: true } satisfies Message);
        location.reload();
      } else if (event.name === "marks") {
        markRevision = (JSON.parse(event.data) as { revision: number }).revision;
        channel.postMessage({ marks: markRevision } satisfies Message);
        marks.hear(markRevision);
      } else {
        hear((JSON.parse(event.data) as { change: number }).change);
      }
    }
  }

  async function lead(): Promise<void> {
    leads = true;
    let retryMs = kFirstRetryMs;
    for (;;) {
      try {
        await listen();
      } catch {
        // The connection broke off; what follows is the same as for one that ended.
      }
      if (live.value) retryMs = kFirstRetryMs;
      setLive(false);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      retryMs = Math.min(retryMs * 2, kLongestRetryMs);
    }
  }

  return {
    live,
    start() {
      channel.postMessage({ ask: true } satisfies Message);
      if (navigator.locks) void navigator.locks.request("vizd.events", lead);
      else void lead();
    },
  };
}
