// Every key that does something, from the one table of lib/keys.ts.
import { commands, showKey, type Command } from "../lib/keys";
import { Overlay } from "./overlay";
import { views } from "./registry";

export function Help({ onClose }: { onClose: () => void }) {
  const groups = [{ id: "page", title: "Everywhere" }, ...views];
  return (
    <Overlay label="Keys" onClose={onClose}>
      <div class="help">
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
        <p class="dim">Cmd does what Ctrl does. The wheel zooms at the cursor; dragging moves; a double click fits.</p>
      </div>
    </Overlay>
  );
}

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
