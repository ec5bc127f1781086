// The bookmarks of the capture on screen: name this place, go to one, take them along as a file, bring some in.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatBookmarks, readBookmarks } from "../../lib/bookmarks";
import { nameFile } from "../../lib/file-name";
import { formatPlace, parsePlace } from "../../lib/place";
import { formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Overlay } from "../parts/overlay";
import { saveText } from "../parts/save-file";
import { nameHere } from "./share";

export function Bookmarks({ onClose }: { onClose: () => void }) {
  const { bookmarks, place, session } = useApp();
  const capture = session.capture.value?.name ?? "";
  const shown = bookmarks.all.value.filter((bookmark) => bookmark.capture === capture);
  const save = () =>
    saveText(`${nameFile(capture)}.bookmarks.json`, "application/json", formatBookmarks(capture, shown));
  return (
    <Overlay label="Bookmarks" onClose={onClose}>
      <div class="help settings" tabIndex={-1}>
        <header>
          <h2>Bookmarks of {capture}</h2>
          <button class="quiet" onClick={onClose}>
            close <kbd>Esc</kbd>
          </button>
        </header>
        <SharedMarks onClose={onClose} />
        <AddBookmark capture={capture} />
        {shown.length === 0 && <p class="dim">None yet. They are kept in this browser.</p>}
        <ul class="bookmarks">
          {shown.map((bookmark) => (
            <li key={bookmark.name}>
              <button
                class="link"
                onClick={() => {
                  onClose();
                  place.goTo(parsePlace(bookmark.place));
                }}
              >
                {bookmark.name}
              </button>
              <span class="dim">{bookmark.note}</span>
              <button class="quiet" aria-label={`Remove ${bookmark.name}`} onClick={() => bookmarks.remove(bookmark)}>
                remove
              </button>
            </li>
          ))}
        </ul>
        <p class="row">
          <button disabled={shown.length === 0} onClick={save}>
            Save as a file
          </button>
          <BringIn capture={capture} />
        </p>
      </div>
    </Overlay>
  );
}

/** The marks of all users of this vizd, if it shares its page. */
function SharedMarks({ onClose }: { onClose: () => void }) {
  const { marks, place } = useApp();
  if (!marks.isShared.value) return null;
  return (
    <>
      <h3>Marks that all at this vizd see</h3>
      {marks.all.value.length === 0 && <p class="dim">None yet. vizd mark puts them here, and so does Share.</p>}
      <ul class="bookmarks" aria-label="Marks">
        {marks.all.value.map((mark) => (
          <li key={mark.number}>
            <button
              class="link"
              onClick={() => {
                onClose();
                place.goTo(parsePlace(mark.place));
              }}
            >
              {mark.id || mark.capture}
            </button>
            <span class="dim">{mark.note}</span>
            <button class="quiet" aria-label={`Remove mark ${mark.number}`} onClick={() => void marks.remove(mark)}>
              remove
            </button>
          </li>
        ))}
      </ul>
      <h3>Of this browser alone</h3>
    </>
  );
}

function AddBookmark({ capture }: { capture: string }) {
  const app = useApp();
  const [name, note] = [useSignal(""), useSignal("")];
  const add = (event: Event) => {
    event.preventDefault();
    if (name.value.trim() === "") return;
    const place = formatPlace(nameHere(app));
    app.bookmarks.add([{ capture, name: name.value.trim(), note: note.value.trim(), place }]);
    name.value = note.value = "";
  };
  const share = () => {
    const said = [name.value.trim(), note.value.trim()].filter(Boolean).join(": ");
    if (said === "") return;
    void app.marks.add(nameHere(app), said);
    name.value = note.value = "";
  };
  return (
    <form class="bookmark-form" onSubmit={add}>
      <input
        type="text"
        autofocus
        placeholder="Name this place"
        aria-label="Name of the bookmark"
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <input
        type="text"
        placeholder="Note"
        aria-label="Note"
        value={note.value}
        onInput={(event) => (note.value = event.currentTarget.value)}
      />
      <button type="submit">Add</button>
      {app.marks.isShared.value && (
        <button type="button" onClick={share}>
          Share
        </button>
      )}
    </form>
  );
}

/** Imports the marks of a file into this capture: it may have had another name where they were made. */
function BringIn({ capture }: { capture: string }) {
  const { bookmarks } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const said = useSignal("");
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    let found: unknown = null;
    try {
      found = JSON.parse(await file.text());
    } catch {
      // No JSON: then it has no bookmarks either.
    }
    const list = readBookmarks(found).map((bookmark) => {
      const place = formatPlace({ ...parsePlace(bookmark.place), capture });
      return { ...bookmark, capture, place };
    });
    bookmarks.add(list);
    said.value = list.length === 0 ? `${file.name} has no bookmarks` : `${formatPlural(list.length, "bookmark")} read`;
  };
  return (
    <>
      <button onClick={() => input.current!.click()}>Bring in from a file</button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="A file of bookmarks"
        onChange={(event) => {
          void read(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      <span class="dim" role="status">
        {said.value}
      </span>
    </>
  );
}
