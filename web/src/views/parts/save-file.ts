// Hands a file that the page made to the browser, which saves it where it saves downloads.

export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser takes it before it lets go of the event loop for long.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveText(name: string, type: string, text: string): void {
  saveFile(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Saves what the server sends as a file, under the name that it gives. */
export function saveLink(path: string): void {
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.click();
}
