// Layouts that are asked for by themselves, of a pass that is there already: one state's own, or better ones of all.
import type { Api } from "../../../lib/api";
import { fail, succeed, type Problem, type Result } from "../../../lib/result";
import { readEvents } from "../../../lib/sse";
import { PassLayout } from "../../../lib/graph/pass-layout";
import type { PassModel } from "../../../lib/graph/pass-model";
import type { WireLayout, WireProgress } from "../../../lib/graph/wire";

const kBrokeOff = "The stream of this layout broke off before its end.";

/** Reads a stream of `progress`, `layout` and `done` (server/http/API.md, compact_state and better). */
export async function fetchLayouts(
  api: Api,
  path: string,
  abort: AbortSignal,
  model: PassModel,
  tell: (progress: WireProgress) => void,
): Promise<Result<PassLayout[]>> {
  const body = await api.openStream(path, abort);
  if (!body.ok) return body;
  const layouts: PassLayout[] = [];
  try {
    for await (const event of readEvents(body.value)) {
      if (event.name === "progress") tell(JSON.parse(event.data) as WireProgress);
      if (event.name === "layout") layouts.push(PassLayout.read(JSON.parse(event.data) as WireLayout, model));
      if (event.name === "error") return { ok: false, error: JSON.parse(event.data) as Problem };
      if (event.name === "done") return succeed(layouts);
    }
  } catch (error) {
    if (abort.aborted) return fail("aborted", "The request was given up.", path);
    return fail("offline", kBrokeOff, String(error));
  }
  return fail("offline", kBrokeOff, path);
}
