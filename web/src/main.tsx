// The page's start: takes the token out of the URL before anything else can see it, makes the App, draws.
// The page's own styles come before those of views, which may refine them.
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/top-bar.css";
import "./styles/chrome.css";
import "./styles/panes.css";
import "./styles/parts.css";
import "./styles/device-time.css";
import "./styles/replays.css";
import "./styles/print.css";
import { render } from "preact";
import { createApi, createReportApi } from "./lib/api";
import { fetchWithFirst, type FirstAnswer } from "./lib/first-answers";
import { takeToken } from "./lib/place";
import { openReport } from "./lib/report";
import { createApp } from "./state/app";
import { AppContext } from "./views/parts/app-context";
import { Page } from "./views/page/page";
import { followIds, keepTitle, keepToldWhere } from "./views/page/share";
import { createOpenedViews } from "./views/page/opened-views";
import { commands } from "./views/page/listed-views";
import { views } from "./views/registry";

const { token, fragment } = takeToken(location.hash);
if (token !== null) history.replaceState(null, "", location.pathname + location.search + fragment);

const { vizdFirst } = window as { vizdFirst?: Promise<FirstAnswer | null> };
const report = await openReport((id) => document.getElementById(id)?.textContent ?? null);
// Below the page, wherever a proxy has put that.
const fetchFirst = fetchWithFirst(vizdFirst, (path, init) => fetch(`.${path}`, init));
const api = report === null ? createApi(token, fetchFirst) : createReportApi(report);
const app = createApp(api, commands, new Map(views.map((view) => [view.id, view.urlKeys])));
keepTitle(app);
keepToldWhere(app);
if (report === null) followIds(app);
// Under whatever views clear first.
app.commands.bind("page.clear", () => app.scope.dropLast());
const opened = createOpenedViews(app);
const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren(); // "Loading"
  render(
    <AppContext.Provider value={app}>
      <Page opened={opened} />
    </AppContext.Provider>,
    root,
  );
}
// The first request brings the cookie; the stream must not start before it. A report stays as it is.
void app.session.load().then(() => report === null && app.events.start());
