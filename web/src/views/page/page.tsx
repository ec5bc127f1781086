// The page: top bar, banners, the view that the place names, and what lies over it. States without a capture (none,
// being read, broken, the server away) are drawn here, so that views always have one.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { takeBrokenFiles, takeLoadingFiles } from "../../lib/capture-files";
import { nameOfPath } from "../../lib/text";
import type { CaptureInfo } from "../../lib/wire";
import { useApp, useCommand } from "../parts/app-context";
import { Banners } from "./banner";
import { Bookmarks } from "./bookmarks";
import { Help } from "./help";
import { Palette } from "./palette";
import { Settings } from "./settings";
import { Blank } from "../parts/blank";
import { useWholeNamesCopied } from "../parts/name";
import { Reading } from "../parts/reading";
import { chooseView } from "./listed-views";
import type { OpenedViews } from "./opened-views";
import { DropZone } from "./upload";
import { ViewTabs } from "./room-tabs";
import { TopBar } from "./top-bar";

export function Page({ opened }: { opened: OpenedViews }) {
  const { commands, theme, wheelZooms } = useApp();
  const open = useSignal<"help" | "palette" | "settings" | "bookmarks" | null>(null);
  const close = () => (open.value = null);
  useEffect(() => {
    // While a dialog is open its keys are its own, Escape first of all.
    const isInDialog = () => document.querySelector("dialog:modal") !== null;
    const onKeyDown = (event: KeyboardEvent) => open.value === null && !isInDialog() && commands.pressKey(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [commands, open]);
  useWholeNamesCopied();
  useCommand("page.help", () => (open.value = "help"));
  useCommand("page.palette", () => (open.value = "palette"));
  useCommand("page.bookmarks", () => (open.value = "bookmarks"));
  useCommand("page.settings", () => (open.value = "settings"));
  useCommand("page.theme", () => theme.turn());
  useCommand("page.wheel", () => (wheelZooms.value = !wheelZooms.value));
  return (
    <>
      <TopBar
        opened={opened}
        onPalette={() => (open.value = "palette")}
        onBookmarks={() => (open.value = "bookmarks")}
        onHelp={() => (open.value = "help")}
      />
      <ViewTabs opened={opened} />
      <Banners />
      <DropZone />
      <Main opened={opened} />
      {open.value === "help" && <Help onClose={close} />}
      {open.value === "bookmarks" && <Bookmarks onClose={close} />}
      {open.value === "settings" && <Settings onClose={close} />}
      {open.value === "palette" && <Palette onClose={close} />}
    </>
  );
}

function Main({ opened }: { opened: OpenedViews }) {
  const app = useApp();
  const view = app.session.info.value === null ? null : chooseView(app);
  if (view === null) {
    return (
      <main>
        <WithoutView />
      </main>
    );
  }
  const Shown = opened.componentOf(view);
  // The view's style holds where this class is (build.mjs).
  return (
    <main class={`view-${view.id}`}>
      <Shown key={view.id} />
    </main>
  );
}

function WithoutView() {
  const { session } = useApp();
  const info = session.info.value;
  const problem = session.problem.value;
  if (info === null) {
    if (problem === null) return <Blank title="Opening" />;
    const title = problem.kind === "denied" ? "This page needs vizd's token" : "vizd cannot be reached";
    return <Blank title={title} lines={[problem.message]} tone="broken" />;
  }
  const capture = session.capture.value;
  if (capture === null)
    return <Blank title={info.hint?.title ?? "No capture is open"} lines={info.hint?.lines ?? []} />;
  return <NothingToShow capture={capture} hint={info.hint} />;
}

function NothingToShow({ capture, hint }: { capture: CaptureInfo; hint: { title: string; lines: string[] } | null }) {
  const { session } = useApp();
  const broken = takeBrokenFiles(capture);
  if (broken.length > 0) {
    return (
      <Blank title={`${capture.name} cannot be read`} lines={broken.map((file) => `  ${file.error}`)} tone="broken" />
    );
  }
  const loading = takeLoadingFiles(capture);
  if (loading.length > 0) {
    const title = `Reading ${loading.map((file) => nameOfPath(file.path)).join(" and ")}`;
    return <Reading title={title} opening={session.opening.value} />;
  }
  if (hint !== null) return <Blank title={hint.title} lines={hint.lines} />;
  return <Blank title={`${capture.name} is empty`} lines={["It has neither rewrites nor a profile."]} />;
}
