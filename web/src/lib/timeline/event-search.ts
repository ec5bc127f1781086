// The searches that the timeline knows: words and conditions on arguments (server/http/API.md), or a predicate of
// another kind, which begins with a colon.

/** The longest thousandth of each name's events, at least the longest one. */
export const kSlowest = ":slowest";

/** As /api/v1/tiles and the search have it (server/http/API.md); "" where nothing is asked for. */
export function pickOf(text: string): string {
  const asked = text.trim();
  if (asked === "") return "";
  return asked === kSlowest ? "slowest" : `search:${asked}`;
}

/** A name as it is, where signs in it could be conditions. */
export function quoteName(name: string): string {
  return `"${name}"`;
}
