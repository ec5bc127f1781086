// The other program of a comparison: of the same capture or of another that is open, chosen in the place's rest, so
// that a link leads there. Fetched while it is wanted.
import { computed, type ReadonlySignal } from "@preact/signals";
import { stripAnsi } from "../../lib/ansi";
import { pathOfCapture, type Api } from "../../lib/api";
import { findProgram, parseOther, type OtherProgram } from "./program-choice";
import type { WireCode } from "./code";
import type { CaptureInfo, WireContexts } from "../../lib/wire";
import { dataOf, followWish, type Fetched } from "../../state/fetched";
import type { ProgramWithExecutions } from "./code";
import type { SessionState } from "../../state/session";

export interface OtherProgramState {
  /** As the place has it. */
  choice: ReadonlySignal<OtherProgram | null>;
  /** Captures that programs may be compared with: all that have rewrites. */
  captures: ReadonlySignal<readonly CaptureInfo[]>;
  /** The one that the choice is made from: the place's, else the first that is not on screen, else that on screen. */
  capture: ReadonlySignal<CaptureInfo | null>;
  isOfAnother: ReadonlySignal<boolean>;
  contexts: ReadonlySignal<WireContexts | null>;
  /** The context there whose program has the name of the one on screen, where that is another capture. */
  sameName: ReadonlySignal<number | null>;
  /** The chosen context; null where none is, or where there is none of that name. */
  context: ReadonlySignal<number | null>;
  program: ReadonlySignal<Fetched<ProgramWithExecutions>>;
  code: ReadonlySignal<Fetched<WireCode>>;
}

/** text: the place's field; mine: the context on screen; isWanted: whether a view shows the comparison. */
export function createOtherProgram(
  api: Api,
  session: SessionState,
  text: ReadonlySignal<string | undefined>,
  mine: ReadonlySignal<number | null>,
  isWanted: ReadonlySignal<boolean>,
): OtherProgramState {
  const choice = computed(() => parseOther(text.value));
  const captures = computed(() => (session.info.value?.captures ?? []).filter((c) => c.has_rewrites));
  const capture = computed(() => {
    const shown = session.capture.value;
    const named = captures.value.find((c) => c.name === choice.value?.capture);
    return named ?? captures.value.find((c) => c.id !== shown?.id) ?? shown;
  });
  const isOfAnother = computed(() => capture.value?.id !== session.capture.value?.id);
  const fetched = followWish(
    computed(() => {
      const from = capture.value;
      if (!isWanted.value || !isOfAnother.value || from === null) return null;
      return `${from.revision} ${pathOfCapture("/api/v1/contexts", from.id)}`;
    }),
    (path, abort) => api.getJson<WireContexts>(path, abort),
  );
  const contexts = computed(() => {
    if (!isOfAnother.value) return session.contexts.value;
    return dataOf(fetched.value) ?? null;
  });
  const sameName = computed(() => {
    const name = session.contexts.value?.contexts[mine.value ?? -1]?.name;
    if (!isOfAnother.value || contexts.value === null || name === undefined) return null;
    return findProgram(contexts.value.contexts, { index: mine.value!, name: stripAnsi(name) });
  });
  const context = computed(() => {
    const chosen = choice.value?.context ?? null;
    if (chosen === "same") return sameName.value;
    return chosen === null || contexts.value === null ? null : findProgram(contexts.value.contexts, chosen);
  });
  const wishFor = (suffix: string) =>
    computed(() => {
      const from = capture.value;
      if (!isWanted.value || from === null || context.value === null) return null;
      return `${from.revision} ${pathOfCapture(`/api/v1/program/${context.value}${suffix}`, from.id)}`;
    });
  return {
    choice,
    captures,
    capture,
    isOfAnother,
    contexts,
    sameName,
    context,
    program: followWish(wishFor(""), (path, abort) => api.getJson<ProgramWithExecutions>(path, abort)),
    code: followWish(wishFor("/code"), (path, abort) => api.getJson<WireCode>(path, abort)),
  };
}
