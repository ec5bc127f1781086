// The bar at the top: the capture and whether it is live, the rooms it has, the scope, the palette, help, theme.
import { describeErrors, listErrors, nextError, type RewriteError } from "../../lib/rewrite-errors";
import { formatCount, formatPlural, nameOfPath } from "../../lib/text";
import type { CaptureInfo } from "../../lib/wire";
import { useApp, useCommand } from "../parts/app-context";
import { useCopy } from "../parts/copy-button";
import { KeyCap } from "../parts/key-cap";
import { OpenFile } from "./upload";
import { LiveChip, ReportChip } from "./live-chip";
import { commandHere, linkToHere } from "./share";
import type { OpenedViews } from "./opened-views";
import { AsideTabs, RoomTabs } from "./room-tabs";
import { ScopeChips } from "./scope-chips";

interface TopBarProps {
  opened: OpenedViews;
  onPalette: () => void;
  onBookmarks: () => void;
  onHelp: () => void;
}

export function TopBar({ opened, onPalette, onBookmarks, onHelp }: TopBarProps) {
  const { session, theme } = useApp();
  const capture = session.capture.value;
  return (
    <header class="top-bar">
      <h1 class="logo">vizd</h1>
      {capture !== null && <CaptureChip capture={capture} />}
      <OpenFile />
      <RoomTabs opened={opened} />
      <ScopeChips />
      <Errors />
      <AsideTabs opened={opened} />
      <button class="go-to" title="Go to context, pass, command" onClick={onPalette}>
        <span>Go to context, pass, command</span>
        <KeyCap command="page.palette" />
      </button>
      <Marks onOpen={onBookmarks} />
      <CopyCommand />
      <CopyLink />
      <button class="icon" onClick={() => theme.turn()} title={`Theme: ${theme.choice.value}`} aria-label="Theme">
        {theme.choice.value === "system" ? "◐" : theme.choice.value === "dark" ? "☾" : "☀"}
      </button>
      <button class="icon" onClick={onHelp} title="Keys" aria-label="Keys">
        <kbd>?</kbd>
      </button>
    </header>
  );
}

function CaptureChip({ capture }: { capture: CaptureInfo }) {
  const { api, place, session } = useApp();
  const captures = session.info.value?.captures ?? [];
  const files = capture.files.map((file) => nameOfPath(file.path)).join(" + ");
  return (
    <span class="capture-chip" title={capture.files.map((file) => file.path).join("\n")}>
      {captures.length > 1 ? (
        <select
          aria-label="Capture"
          value={capture.name}
          onChange={(event) => place.goToCapture(event.currentTarget.value)}
        >
          {captures.map((c) => (
            <option key={c.id} value={c.name}>
              {session.labels.value.get(c.id)}
            </option>
          ))}
        </select>
      ) : (
        <span class="capture-name">{capture.name}</span>
      )}
      <span class="capture-files">{files}</span>
      <Health capture={capture} />
      {api.report === undefined ? <LiveChip capture={capture} /> : <ReportChip report={api.report} />}
    </span>
  );
}

function CopyLink() {
  const app = useApp();
  const { said, copy } = useCopy(() => linkToHere(app));
  useCommand("page.copyLink", copy);
  return (
    <button class="copy-link" title="Copy a link to exactly this (Y)" onClick={copy}>
      {said ?? "Copy link"}
    </button>
  );
}

function CopyCommand() {
  const app = useApp();
  const command = app.api.report === undefined ? commandHere(app) : "";
  const { said, copy } = useCopy(() => commandHere(app));
  useCommand("page.copyCommand", () => command !== "" && copy());
  if (command === "") return null;
  return (
    <button
      class="copy-link"
      aria-label="Copy as command"
      title={`Copy as command (Shift+Y)\n${command}`}
      onClick={copy}
    >
      {said ?? ">_"}
    </button>
  );
}

/** What commands and people have marked, where this vizd shares its page. */
function Marks({ onOpen }: { onOpen: () => void }) {
  const { marks } = useApp();
  const count = marks.all.value.length;
  if (count === 0) return null;
  return (
    <button class="copy-link" title="Marks of this vizd (Shift+B)" onClick={onOpen}>
      ⚑ {formatPlural(count, "mark")}
    </button>
  );
}

/** Rewrites that raised: leads to the first, and from there to the next. */
function Errors() {
  const { session } = useApp();
  const errors = listErrors(session.contexts.value?.contexts ?? []);
  return errors.length === 0 ? null : <ErrorButton errors={errors} />;
}

function ErrorButton({ errors }: { errors: readonly RewriteError[] }) {
  const { chosen, place } = useApp();
  const goOn = () => {
    const isInRewrites = place.keys.value.match !== undefined;
    const here = { context: chosen.context.value, pass: chosen.pass.value, match: Number(place.keys.value.match ?? 0) };
    const next = nextError(errors, isInRewrites ? here : { context: null, pass: null, match: 0 });
    if (next !== null) chosen.goToPass(next.context, next.pass, next.match);
  };
  useCommand("page.error", goOn);
  return (
    <button class="errors" title={describeErrors(errors)} onClick={goOn}>
      ✕ {formatPlural(errors.length, "error")}
    </button>
  );
}

/** Warnings and records left out, as a count that names them. */
function Health({ capture }: { capture: CaptureInfo }) {
  const skipped = Object.entries(capture.skipped);
  const count = skipped.reduce((sum, [, n]) => sum + n, 0) + capture.warnings.length;
  if (count === 0) return null;
  const lines = [...skipped.map(([reason, n]) => `${formatCount(n)} records left out: ${reason}`), ...capture.warnings];
  return (
    <span class="warned" title={lines.join("\n")}>
      ▲ {formatCount(count)}
    </span>
  );
}
