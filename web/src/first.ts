// Runs in the page's head, before its code is there: sets the theme, so that the first paint has it, and asks for the
// session with the contexts, so that a slow link brings them together with the code. main.tsx takes the answer over. In
// a report there is nobody to ask.
import type { FirstAnswer } from "./lib/first-answers";
import { parsePlace, takeToken } from "./lib/place";

function chosenTheme(): string {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem("vizd.theme") ?? "null");
    if (stored === "dark" || stored === "light") return stored;
  } catch {
    // Refused, or not ours: the system's.
  }
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

document.documentElement.dataset.theme = chosenTheme();

const { token } = takeToken(location.hash);
const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
const capture = parsePlace(location.hash).capture ?? "";
const path = `./api/v1/session?contexts=${encodeURIComponent(capture)}`;
if (document.documentElement.dataset.report === undefined) {
  const answer = fetch(path, { headers, credentials: "same-origin" }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => null, // asked for again by whoever needs it
  );
  (window as { vizdFirst?: Promise<FirstAnswer | null> }).vizdFirst = answer;
}
