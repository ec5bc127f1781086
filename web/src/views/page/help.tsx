// Every key that does something, by view.
import { showKey, type Command } from "../../lib/keys";
import { Overlay } from "../parts/overlay";
import { useApp } from "../parts/app-context";
import { views } from "../registry";
import { chooseView } from "./listed-views";
import { pageCommands } from "./commands";

export function Help({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const { wheelZooms } = app;
  const shown = chooseView(app);
  // The commands that work here come first.
  const here = views.filter((view) => view === shown);
  const groups = [
    ...here,
    { id: "page", title: "Everywhere", commands: pageCommands },
    ...views.filter((view) => view !== shown),
  ];
  return (
    <Overlay label="Keys" onClose={onClose}>
      <div class="help" tabIndex={-1} autofocus>
        <header>
          <h2>Keys</h2>
          <button class="quiet" onClick={onClose}>
            close <kbd>Esc</kbd>
          </button>
        </header>
        <div class="help-groups">
          {groups.map((group) => (
            <KeyGroup key={group.id} title={group.title} rows={group.commands} />
          ))}
        </div>
        <p class="dim">
          Cmd does what Ctrl does. Two fingers or the wheel scroll, a pinch or Ctrl and the wheel zoom. {shown?.pointer}
        </p>
        <label>
          <input
            type="checkbox"
            checked={wheelZooms.value}
            onChange={(event) => (wheelZooms.value = event.currentTarget.checked)}
          />{" "}
          The wheel zooms by itself
        </label>
      </div>
    </Overlay>
  );
}

function KeyGroup({ title, rows: all }: { title: string; rows: readonly Command[] }) {
  const rows = all.filter((command) => command.keys.length > 0);
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map((command) => (
          <div key={command.id}>
            <dt>
              {command.keys.map((key) => (
                <kbd key={key}>{showKey(key)}</kbd>
              ))}
            </dt>
            <dd>{command.title}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
