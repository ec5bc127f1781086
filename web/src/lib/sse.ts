// Server-sent events read from a fetch, instead of by EventSource, so that headers, abort and errors work as in any
// other request. Grammar: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
// (without `retry`, which has no meaning here).

export interface ServerEvent {
  /** "message" where the server named none. */
  name: string;
  data: string;
}

/** Cuts text that arrives in any pieces into events. A piece costs its length, however long the line it belongs to. */
export class EventParser {
  #line: string[] = [];
  #name = "";
  #data: string[] = [];
  #afterCr = false;

  feed(text: string, emit: (event: ServerEvent) => void): void {
    let from = this.#afterCr && text.startsWith("\n") ? 1 : 0;
    if (text.length > 0) this.#afterCr = false;
    for (;;) {
      const end = findLineEnd(text, from);
      if (end < 0) break;
      this.#line.push(text.slice(from, end));
      this.#takeLine(this.#line.join(""), emit);
      this.#line = [];
      from = end + 1;
      if (text[end] === "\r") {
        if (from === text.length) this.#afterCr = true;
        else if (text[from] === "\n") from++;
      }
    }
    if (from < text.length) this.#line.push(text.slice(from));
  }

  #takeLine(line: string, emit: (event: ServerEvent) => void): void {
    if (line === "") {
      if (this.#data.length > 0) emit({ name: this.#name || "message", data: this.#data.join("\n") });
      this.#name = "";
      this.#data = [];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return; // a comment: the heartbeat
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#name = value;
  }
}

/** The place of the first CR or LF, or -1. One pass, where two searches would each run to the end of the piece. */
function findLineEnd(text: string, from: number): number {
  const lineEnd = /[\r\n]/g;
  lineEnd.lastIndex = from;
  return lineEnd.exec(text)?.index ?? -1;
}

/** The events of a body until it ends. Throws what reading throws (an abort, a lost connection). */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const parser = new EventParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events: ServerEvent[] = [];
      parser.feed(decoder.decode(value, { stream: true }), (event) => events.push(event));
      yield* events;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
