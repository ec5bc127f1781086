// Files that the page makes and the browser keeps.

/** A capture's or a pass's name as part of a file's name. */
export function nameFile(...parts: readonly string[]): string {
  const name = parts
    .join(" ")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|-+$/g, "");
  return name.slice(0, 120) || "vizd";
}
