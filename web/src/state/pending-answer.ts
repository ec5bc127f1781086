// Answers that the server works on in the background: until they are there it says how far it is (202), and is asked
// again.
import type { Api } from "../lib/api";
import { fail, succeed, type Result } from "../lib/result";
import type { WirePending } from "../lib/graph/wire-history";

export type Progress = WirePending["progress"];

const kAskAgain_ms = 250;

/**
 * tell hears of the progress, and null once there is none to tell of any more; with the progress comes what there is of
 * the answer already.
 */
export async function getWhenDone<T extends object>(
  api: Api,
  path: string,
  abort: AbortSignal,
  tell: (progress: Progress | null, soFar?: Partial<T>) => void,
): Promise<Result<T>> {
  for (;;) {
    const answer = await api.getJson<T | (WirePending & Partial<T>)>(path, abort);
    if (!answer.ok || abort.aborted || !("progress" in answer.value)) tell(null);
    if (!answer.ok) return answer;
    if (abort.aborted) return fail("aborted", "The request was given up.", path);
    if (!("progress" in answer.value)) return succeed(answer.value);
    tell(answer.value.progress, answer.value);
    await new Promise((resolve) => setTimeout(resolve, kAskAgain_ms));
  }
}
