// What is fetched for the match on screen and nothing else: its diff and rule text, the printed graph, the program's
// source.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import type { WireMatch, WireProgram } from "../../../lib/wire";
import { followWish, type Fetched } from "../../../state/fetched";
import type { RewritesState } from "../../../state/rewrites";
import type { SessionState } from "../../../state/session";
import type { PassStream } from "./pass-stream";

export interface MatchDetail {
  match: ReadonlySignal<Fetched<WireMatch>>;
  text: ReadonlySignal<Fetched<string>>;
  program: ReadonlySignal<Fetched<WireProgram>>;
  /** Texts are large: fetched only while something shows them. Returns what ends that. */
  wantText(): () => void;
  wantProgram(): () => void;
}

export function createMatchDetail(
  api: Api,
  session: SessionState,
  rewrites: RewritesState,
  stream: PassStream,
): MatchDetail {
  const textWanted = signal(0);
  const programWanted = signal(0);

  // Paths carry the revision as a mark of their own, so that a reload asks again.
  const place = computed(() => {
    const contexts = session.contexts.value;
    const c = rewrites.context.value;
    const s = rewrites.pass.value;
    return contexts === null || c === null || s === null
      ? null
      : { id: contexts.capture, revision: contexts.revision, c, s };
  });
  const wish = (path: string) =>
    place.value === null ? null : `${place.value.revision} ${pathOfCapture(path, place.value.id)}`;

  const matchWish = computed(() => {
    const state = stream.state.value;
    return place.value === null || state === 0
      ? null
      : wish(`/api/v1/match/${place.value.c}/${place.value.s}/${state}`);
  });
  const textWish = computed(() => {
    const shown = textWanted.value > 0 && place.value !== null && stream.loaded.value !== null;
    return shown ? wish(`/api/v1/text/${place.value!.c}/${place.value!.s}/${stream.state.value}`) : null;
  });
  const programWish = computed(() => {
    const c = place.value?.c;
    const has = c !== undefined && session.contexts.value?.contexts[c]?.program === true;
    return programWanted.value > 0 && has ? wish(`/api/v1/program/${c}`) : null;
  });

  return {
    match: followWish(matchWish, (path, abort) => api.getJson<WireMatch>(path, abort)),
    text: followWish(textWish, (path, abort) => api.getText(path, abort)),
    program: followWish(programWish, (path, abort) => api.getJson<WireProgram>(path, abort)),
    wantText: () => count(textWanted),
    wantProgram: () => count(programWanted),
  };
}

function count(wanted: { value: number; peek(): number }): () => void {
  wanted.value = wanted.peek() + 1;
  return () => (wanted.value = wanted.peek() - 1);
}
