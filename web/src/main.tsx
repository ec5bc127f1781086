// The page's start: takes the token out of the URL before anything else can see it, makes the App, draws.
import { render } from "preact";
import { createApi } from "./lib/api";
import { takeToken } from "./lib/place";
import { createApp } from "./state/app";
import { AppContext } from "./views/app-context";
import { Page } from "./views/page";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/chrome.css";

const { token, fragment } = takeToken(location.hash);
if (token !== null) history.replaceState(null, "", location.pathname + location.search + fragment);

const app = createApp(createApi(token));
const root = document.getElementById("app");
if (root !== null) {
  render(
    <AppContext.Provider value={app}>
      <Page />
    </AppContext.Provider>,
    root,
  );
}
// The first request brings the cookie; the stream must not start before it.
void app.session.load().then(() => app.events.start());
