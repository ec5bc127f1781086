// Every key that does something, from the one table of lib/keys.ts.
import { commands, showKey, type Command } from "../../lib/keys";
import { Overlay } from "../parts/overlay";
import { useApp } from "../parts/app-context";
import { chooseView, views } from "../registry";

export function Help({ onClose }: { onClose: () => void }) {
  const { place, session } = useApp();
  const capture = session.capture.value;
  const shown = capture === null ? null : chooseView(place.current.value.view, capture);
  // What works here comes first.
  const here = views.filter((view) => view === shown);
  const groups = [...here, { id: "page", title: "Everywhere" }, ...views.filter((view) => view !== shown)];
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
            <KeyGroup key={group.id} title={group.title} rows={commands.filter((c) => c.group === group.id)} />
          ))}
        </div>
        <p class="dim">Cmd does what Ctrl does. {pointerDoes[shown?.id ?? ""]}</p>
      </div>
    </Overlay>
  );
}

/** By view. */
const pointerDoes: Readonly<Record<string, string>> = {
  rewrites: "The wheel zooms at the cursor; dragging moves; a double click fits.",
  timeline:
    "The wheel scrolls the lanes; with Ctrl it zooms at the cursor, with Shift it moves the time. Dragging chooses a " +
    "time range over the lanes it crosses; with Shift it moves. A double click leads to an event's rewrites, zooms " +
    "where many events are drawn as one, and fits beside them.",
};

function KeyGroup({ title, rows }: { title: string; rows: readonly Command[] }) {
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
