// Leading others to the place on screen: by a link to exactly that, and by the document's title, which names the place.
import { effect, untracked } from "@preact/signals";
import { joinWords, pathsOf } from "../../lib/command-line";
import { pathOfCapture } from "../../lib/api";
import { formatPlace, type Link, type Place } from "../../lib/place";
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

/** The words of the command line that tells in a terminal what is on screen; none where no command does. */
export function commandWords(app: App): string[] {
  const { info, capture } = app.session;
  const told = chooseView(app)?.asCommand?.(app) ?? null;
  const captures = told?.captures ?? (capture.value === null ? [] : [capture.value]);
  if (told === null || (told.captures === undefined && captures.length === 0)) return [];
  const folder = info.value?.folder ?? "";
  return ["vizd", ...told.words, ...captures.flatMap((each) => pathsOf(each, folder))];
}

export const commandHere = (app: App): string => joinWords(commandWords(app));

const kStandStill_ms = 300;

/** Tells a vizd that shares its page where somebody is (vizd where), from now on, while the page can be seen. */
export function keepToldWhere(app: App): void {
  let told = "";
  let timer: number | undefined;
  const tell = () => {
    const view = chooseView(app);
    const capture = app.session.capture.peek();
    if (view === null || capture === null || document.visibilityState === "hidden") return;
    const where = JSON.stringify({
      place: formatPlace(nameHere(app)).slice(1),
      capture: capture.name,
      view: view.title,
      selection: view.sayWhere?.(app) ?? "",
      command: commandWords(app),
    });
    if (where === told) return;
    told = where;
    void app.api.sendBytes("/api/v1/where", new Blob([where]));
  };
  const soon = () => {
    clearTimeout(timer);
    timer = window.setTimeout(tell, kStandStill_ms);
  };
  effect(() => {
    if (!app.marks.isShared.value) return;
    nameHere(app);
    commandWords(app);
    chooseView(app)?.sayWhere?.(app);
    untracked(soon);
  });
  // If several tabs are open, the one that is looked at counts.
  window.addEventListener("focus", () => {
    told = "";
    if (app.marks.isShared.peek()) soon();
  });
}

/** The key of the URL by which links of commands (--links) name what an id of their answers does. */
const kIdKey = "id";

/** Goes to what an id names: the server knows where the page shows it. */
export async function goToId(app: App, id: string): Promise<void> {
  const capture = app.session.capture.peek();
  if (capture === null) return;
  const answer = await app.api.getJson<Link>(pathOfCapture(`/api/v1/place?id=${encodeURIComponent(id)}`, capture.id));
  if (answer.ok) app.place.follow(answer.value);
  else app.notices.show(kIdKey, answer.error);
}

/** Follows links that name an id, from now on. */
export function followIds(app: App): void {
  const named = app.place.key(kIdKey);
  effect(() => {
    const id = named.value;
    if (id === undefined || app.session.capture.value === null) return;
    untracked(() => {
      app.place.adjust({ [kIdKey]: null }); // back leads past it
      void goToId(app, id);
    });
  });
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
