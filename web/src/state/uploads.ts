// Captures handed to the running vizd: sent one after another, then opened as soon as the server has read them.
import { signal, type ReadonlySignal } from "@preact/signals";
import type { Api } from "../lib/api";
import { formatBytes } from "../lib/bytes";
import { inOrderOfSending, type DroppedFile } from "../lib/dropped";
import { nameOfPath } from "../lib/text";
import type { NoticeState } from "./notices";
import type { PlaceState } from "./place";
import type { SessionState } from "./session";

export interface UploadState {
  /** The file that is being sent, in words; null while there is none. */
  sending: ReadonlySignal<string | null>;
  /**
   * Sends files, each by itself; those that belong together become one capture, and captures of graphs name the kernels
   * of a trace among them. Goes to what the last became part of. Of folders what no format knows is passed over.
   */
  send(files: readonly DroppedFile[]): Promise<void>;
  /** The name of the capture that a file became part of, once the server lists it; null where it does not. */
  waitFor(path: string): Promise<string | null>;
}

const kTopic = "upload";
/** A capture that was sent is listed soon after; a large one may take long to be read, and shows how far that is. */
const kLookEvery_ms = 150;
const kPatience_ms = 15_000;

export function createUploads(api: Api, session: SessionState, place: PlaceState, notices: NoticeState): UploadState {
  const sending = signal<string | null>(null);

  /** Where it stands now; null: it was not taken, or is no capture by itself. */
  async function sendOne({ file, path }: DroppedFile, isOneOfMany: boolean): Promise<string | null> {
    const most = session.info.peek()?.upload_bytes ?? 0;
    const { name } = file;
    if (file.size > most) {
      const message =
        most === 0
          ? `This vizd takes no captures: ${session.info.peek()?.no_uploads ?? "it does not answer"}.`
          : `${name} is larger than ${formatBytes(most)}`;
      notices.show(kTopic, { kind: "too_large", message });
      return null;
    }
    sending.value = `Sending ${name}, ${formatBytes(file.size)}`;
    const answer = await api.sendBytes<{ path: string; names?: true }>(
      `/api/v1/captures?name=${encodeURIComponent(path)}${isOneOfMany ? "&together=1" : ""}`,
      file,
    );
    if (answer.ok) return answer.value.names === true ? null : answer.value.path;
    if (path !== name && answer.error.kind === "bad_input") return null;
    notices.show(kTopic, { ...answer.error, message: `${name}: ${answer.error.message}` });
    return null;
  }

  async function waitFor(path: string): Promise<string | null> {
    for (const start = performance.now(); performance.now() - start < kPatience_ms;) {
      await session.load();
      const found = session.info.peek()?.captures.find(({ files }) => files.some((file) => file.path === path));
      if (found !== undefined) return found.name;
      await new Promise((resolve) => setTimeout(resolve, kLookEvery_ms));
    }
    notices.show(kTopic, { kind: "not_found", message: `${nameOfPath(path)} was sent, but vizd does not list it.` });
    return null;
  }

  return {
    sending,
    async send(files) {
      notices.clear(kTopic);
      let last: string | null = null;
      try {
        for (const file of inOrderOfSending(files)) last = (await sendOne(file, files.length > 1)) ?? last;
      } finally {
        sending.value = null;
      }
      const folder = files.find(({ path }) => path.includes("/"))?.path.split("/")[0];
      if (last === null && folder !== undefined && !notices.list.peek().some(({ topic }) => topic === kTopic))
        notices.show(kTopic, { kind: "bad_input", message: `Nothing in ${folder} is a capture that vizd reads.` });
      const name = last === null ? null : await waitFor(last);
      if (name !== null) place.goToCapture(name);
    },
    waitFor,
  };
}
