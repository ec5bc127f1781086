// Settings that hold for every capture.
import { formatEditorLink, isTemplate, kEditors, reachesBySsh, type EditorChoice } from "../../lib/editor-link";
import { useApp } from "../parts/app-context";
import { Overlay } from "../parts/overlay";

export function Settings({ onClose }: { onClose: () => void }) {
  return (
    <Overlay label="Settings" onClose={onClose}>
      <div class="help settings" tabIndex={-1} autofocus>
        <header>
          <h2>Settings</h2>
          <button class="quiet" onClick={onClose}>
            close <kbd>Esc</kbd>
          </button>
        </header>
        <EditorSettings />
      </div>
    </Overlay>
  );
}

function EditorSettings() {
  const { settings } = useApp();
  const choice = settings.editor.value;
  const set = (change: Partial<EditorChoice>) => (settings.editor.value = { ...choice, ...change });
  const example = formatEditorLink(choice, "/path/to/rule.py", 12);
  return (
    <section>
      <h3>Open source lines in</h3>
      <label>
        <span>Editor</span>
        <select value={choice.editor} onChange={(event) => set({ editor: event.currentTarget.value })}>
          {kEditors.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
          <option value="custom">other, by a custom URL</option>
        </select>
      </label>
      {choice.editor === "custom" && (
        <label>
          <span>URL</span>
          <input
            type="text"
            spellcheck={false}
            placeholder="editor://open?file={file}&line={line}"
            value={choice.template}
            onInput={(event) => set({ template: event.currentTarget.value })}
          />
        </label>
      )}
      {reachesBySsh(choice) && (
        <label>
          <span>ssh host</span>
          <input
            type="text"
            spellcheck={false}
            placeholder="none: the sources are on this machine"
            value={choice.sshHost}
            onInput={(event) => set({ sshHost: event.currentTarget.value })}
          />
        </label>
      )}
      <p class="dim">
        {choice.editor === "custom" && !isTemplate(choice.template) ? (
          "The URL needs a scheme and {file}; {line} and {host} are filled in too."
        ) : (
          <>
            Line 12 of a file opens <code>{example}</code>
          </>
        )}
      </p>
    </section>
  );
}
