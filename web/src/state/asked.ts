// Answers about the capture on screen, asked for while the view that wants them is.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../lib/api";
import { pathInScope } from "../lib/scope";
import type { CaptureInfo } from "../lib/wire";
import type { App } from "./app";
import { followWish, type Fetched } from "./fetched";

type Asking = Pick<App, "api" | "session" | "scope">;

/**
 * Follows a path of the capture on screen, where it has a profile; path reads signals, null asks for nothing. While the
 * view is not shown its answer stays, and nothing new is asked for.
 */
export function followProfile<T>(
  { api, session }: Pick<Asking, "api" | "session">,
  isShown: ReadonlySignal<boolean>,
  path: (capture: CaptureInfo) => string | null,
): ReadonlySignal<Fetched<T>> {
  let last: string | null = null;
  const wish = computed(() => {
    if (!isShown.value) return last;
    const capture = session.capture.value;
    // While only the beginning is read, nothing is asked: the answer waits until all is read, and would hold up other
    // requests.
    const asked = capture === null || !capture.has_profile || capture.is_beginning ? null : path(capture);
    last = asked === null ? null : `${capture!.revision} ${pathOfCapture(asked, capture!.id)}`;
    return last;
  });
  return followWish(wish, (wanted, abort) => api.getJson<T>(wanted, abort), 0);
}

/** The same of the work in the scope alone. */
export function followScoped<T>(
  app: Asking,
  isShown: ReadonlySignal<boolean>,
  path: (capture: CaptureInfo) => string | null,
): ReadonlySignal<Fetched<T>> {
  return followProfile(app, isShown, (capture) => {
    const asked = path(capture);
    return asked === null ? null : pathInScope(asked, app.scope.query.value);
  });
}
