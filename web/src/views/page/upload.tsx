// The ways to hand a capture to vizd: dropped on the page, or chosen.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { asDropped, droppedFiles, type DroppedFile } from "../../lib/dropped";
import { useApp, useCommand } from "../parts/app-context";

/** Opens the system's own choice of files; nothing where vizd takes none. */
export function OpenFile() {
  const { session, uploads } = useApp();
  return (session.info.value?.upload_bytes ?? 0) === 0 ? null : <FileChoice send={uploads.send} />;
}

function FileChoice({ send }: { send: (files: readonly DroppedFile[]) => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current!.click();
  useCommand("page.open", choose);
  return (
    <>
      <button
        class="open-file"
        title="Open a capture of this computer, or drop it anywhere on the page"
        onClick={choose}
      >
        Open…
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Captures to open"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = ""; // so that the same one can be chosen again
          void send(asDropped(files));
        }}
      />
    </>
  );
}

/** While files are dragged over the page it says what dropping them does; while they are sent, what is on its way. */
export function DropZone() {
  const { session, uploads } = useApp();
  const isOver = useSignal(false);
  useEffect(() => {
    const brings = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const onDrag = (event: DragEvent) => {
      if (!brings(event)) return;
      event.preventDefault(); // the browser would leave the page for the file
      isOver.value = event.type === "dragover";
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const onDrop = (event: DragEvent) => {
      onDrag(event);
      if (brings(event)) void droppedFiles(event.dataTransfer!).then(uploads.send);
    };
    window.addEventListener("dragover", onDrag);
    window.addEventListener("drop", onDrop);
    window.addEventListener("dragleave", onLeave);
    return () => {
      window.removeEventListener("dragover", onDrag);
      window.removeEventListener("drop", onDrop);
      window.removeEventListener("dragleave", onLeave);
    };
  }, [uploads, isOver]);
  const isTaken = (session.info.value?.upload_bytes ?? 0) > 0;
  if (isOver.value) {
    return (
      <div class="drop-zone">
        {isTaken
          ? "Drop captures to open them too"
          : `This vizd takes no captures: ${session.info.value?.no_uploads ?? "it does not answer"}`}
      </div>
    );
  }
  return uploads.sending.value === null ? null : (
    <div class="sending" role="status">
      {uploads.sending.value} …
    </div>
  );
}
