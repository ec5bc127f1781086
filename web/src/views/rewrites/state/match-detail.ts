// Texts that are fetched for the match on screen alone: its diff and rule text, the printed graph, the program's
// source, what ran of it.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import type { WireExecutions } from "../../../lib/executions";
import type { StackFrame } from "../../../lib/timeline/arguments";
import type { WireMatch } from "../../../lib/graph/wire";
import type { WireProgram } from "../../../lib/wire";
import { followWish, type Fetched } from "../../../state/fetched";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";
import type { PassStream } from "./pass-stream";

export interface MatchDetail {
  match: ReadonlySignal<Fetched<WireMatch>>;
  text: ReadonlySignal<Fetched<string>>;
  program: ReadonlySignal<Fetched<WireProgram>>;
  /** The executions of the context. */
  executions: ReadonlySignal<Fetched<{ executions: WireExecutions | null }>>;
  /** Where the user's program asked for the context; the innermost frame first. */
  calledFrom: ReadonlySignal<Fetched<{ frames: StackFrame[] }>>;
  /** Texts are large: fetched only while something shows them. Returns what ends that. */
  wantText(): () => void;
  wantProgram(): () => void;
  wantExecutions(): () => void;
}

export function createMatchDetail(
  api: Api,
  session: SessionState,
  chosen: ChosenState,
  stream: PassStream,
): MatchDetail {
  const textWanted = signal(0);
  const programWanted = signal(0);
  const executionsWanted = signal(0);

  // Paths carry the revision as a mark of their own, so that a reload asks again.
  const place = computed(() => {
    const contexts = session.contexts.value;
    const c = chosen.context.value;
    const s = chosen.pass.value;
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

  const executionsWish = computed(() => {
    const c = place.value?.c;
    const hasProfile = session.capture.value?.has_profile === true;
    return executionsWanted.value > 0 && hasProfile && c !== undefined ? wish(`/api/v1/executions/${c}`) : null;
  });

  const calledFromWish = computed(() => (place.value === null ? null : wish(`/api/v1/called-from/${place.value.c}`)));

  return {
    calledFrom: followWish(calledFromWish, (path, abort) => api.getJson<{ frames: StackFrame[] }>(path, abort)),
    match: followWish(matchWish, (path, abort) => api.getJson<WireMatch>(path, abort)),
    text: followWish(textWish, (path, abort) => api.getText(path, abort)),
    program: followWish(programWish, (path, abort) => api.getJson<WireProgram>(path, abort)),
    executions: followWish(executionsWish, (path, abort) =>
      api.getJson<{ executions: WireExecutions | null }>(path, abort),
    ),
    wantText: () => count(textWanted),
    wantProgram: () => count(programWanted),
    wantExecutions: () => count(executionsWanted),
  };
}

function count(wanted: { value: number; peek(): number }): () => void {
  wanted.value = wanted.peek() + 1;
  return () => (wanted.value = wanted.peek() - 1);
}
