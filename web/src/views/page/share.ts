// Leading others to the place on screen: by a link to exactly that, and by the document's title, which names the place.
import { effect, untracked } from "@preact/signals";
import { formatPlace, type Place } from "../../lib/place";
import type { App } from "../../state/app";
import { chooseView } from "./listed-views";

/** The place on screen with all that it leaves unsaid: the capture, the view, what the view shows by default. */
export function nameHere(app: App): Place {
  const { place, session } = app;
  const capture = session.capture.value;
  const view = chooseView(app);
  return {
    view: view?.id ?? place.view.value,
    capture: capture?.name ?? place.capture.value,
    keys: { ...view?.listDefaults?.(app), ...place.keys.value },
  };
}

export function linkToHere(app: App): string {
  return location.origin + location.pathname + formatPlace(nameHere(app));
}

/** "match 12 · r_32 › devectorize – ramp – vizd", from now on. */
export function keepTitle(app: App): void {
  effect(() => {
    const capture = app.session.capture.value;
    const view = chooseView(app);
    const where = view?.sayWhere?.(app) || view?.title;
    const title = [where, capture?.name, "vizd"].filter(Boolean).join(" – ");
    untracked(() => (document.title = title));
  });
}
