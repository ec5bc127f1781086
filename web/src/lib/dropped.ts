// What is dropped on the page: files, and those in folders.

export interface DroppedFile {
  file: File;
  /** Its name, after those of the folders that it was in. */
  path: string;
}

export const asDropped = (files: readonly File[]): DroppedFile[] => files.map((file) => ({ file, path: file.name }));

/** What may name the contents of others comes before these, so that they are read with it. */
export function inOrderOfSending(files: readonly DroppedFile[]): DroppedFile[] {
  const depth = ({ path }: DroppedFile) => path.split("/").length;
  const isBeside = ({ file }: DroppedFile) => /capture|annotation|^bs_/.test(file.name);
  return files.toSorted((a, b) => depth(b) - depth(a) || Number(isBeside(b)) - Number(isBeside(a)));
}

/** Called while the event is handled: afterwards the browser forgets what was dropped. */
export async function droppedFiles(data: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  // What no file system has, as what another page made, is no entry.
  if (entries.length < data.files.length || entries.every(({ isFile }) => isFile)) return asDropped([...data.files]);
  return (await Promise.all(entries.map((entry) => filesOf(entry, "")))).flat();
}

async function filesOf(entry: FileSystemEntry, within: string): Promise<DroppedFile[]> {
  const path = within + entry.name;
  if (entry.isFile) return [{ file: await fileOf(entry as FileSystemFileEntry), path }];
  const inside = await entriesOf(entry as FileSystemDirectoryEntry);
  return (await Promise.all(inside.map((each) => filesOf(each, `${path}/`)))).flat();
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** A reader hands out a folder in parts, the last of which is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}
