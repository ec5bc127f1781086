// The names of captures as people are shown them where several are listed: captures of files of one name, which the
// server tells apart by numbers, are told apart by the folders that they lie in.
import type { CaptureInfo } from "./wire";

type Named = Pick<CaptureInfo, "id" | "name"> & { files: readonly { path: string }[] };

/** By capture's id: "trace · before", or its name where no other is called so. */
export function labelCaptures(captures: readonly Named[]): ReadonlyMap<string, string> {
  const byName = new Map<string, Named[]>();
  for (const capture of captures) {
    const name = nameOfFiles(capture);
    byName.set(name, [...(byName.get(name) ?? []), capture]);
  }
  const labels = new Map<string, string>();
  for (const [name, alike] of byName) {
    const folders = alike.length === 1 ? null : tellFoldersApart(alike.map(foldersOf));
    alike.forEach(({ id, name: own }, at) => labels.set(id, folders === null ? own : `${name} · ${folders[at]}`));
  }
  return labels;
}

/** Without the number that makes it the only one. */
function nameOfFiles({ name, files }: Named): string {
  const numbered = /^(.*) \(\d+\)$/.exec(name);
  // A file may be called so itself.
  return numbered === null || files.some(({ path }) => path.includes(name)) ? name : numbered[1]!;
}

function foldersOf({ files }: Named): string[] {
  const parts = (files[0]?.path ?? "").split("/").slice(0, -1);
  return parts.filter((part) => part !== "" && part !== ".");
}

/** As few of the last folders as no two share; null where all of a path is the same. */
function tellFoldersApart(paths: readonly string[][]): string[] | null {
  const deepest = Math.max(...paths.map(({ length }) => length));
  for (let count = 1; count <= deepest; count++) {
    const texts = paths.map((path) => path.slice(-count).join("/") || "/");
    if (new Set(texts).size === texts.length) return texts;
  }
  return null;
}
