// Place: where the user is, as it stands in the URL's fragment: names and numbers, never data. Reload, back and a link
// in a chat all lead to the same place. What the keys mean is for the views to say that own them; "context" and "pass"
// (state/chosen.ts) and the scope (state/scope.ts) are shared by all.

export type Keys = Readonly<Record<string, string>>;
/** Keys to set, and, where null, to take away. */
export type KeyChange = Readonly<Record<string, string | null>>;

export interface Place {
  view: string;
  /** A capture's name; null is the first. */
  capture: string | null;
  keys: Keys;
}

/** A way to a view, with what it is to show there. */
export interface Link {
  view: string;
  /** The capture that it leads into, by name, where that is not the one on screen. */
  capture?: string;
  keys: KeyChange;
}

/**
 * How long a view's key lasts: until it is changed; until a link leads to the view (it names what was looked at, and a
 * link brings its own); until another context, or another pass, is gone to (it means something of that one alone).
 */
export type KeyLife = "kept" | "ofLink" | "ofContext" | "ofPass";
export type UrlKeys = Readonly<Record<string, KeyLife>>;

export const kHome: Place = { view: "", capture: null, keys: {} };

/** Reads a fragment (with or without #). A token in it is left out. */
export function parsePlace(fragment: string): Place {
  const { view = "", capture = null, token, ...keys } = Object.fromEntries(fieldsOf(fragment));
  return { view, capture, keys };
}

/** The fragment of a place, with its #; "" at home. */
export function formatPlace({ view, capture, keys }: Place): string {
  const fields = new URLSearchParams();
  if (view !== "") fields.set("view", view);
  if (capture !== null) fields.set("capture", capture);
  for (const [key, value] of Object.entries(keys)) fields.set(key, value);
  const text = fields.toString().replace(/%2C/g, ",").replace(/%3A/g, ":");
  return text === "" ? "" : `#${text}`;
}

export function changeKeys(keys: Keys, change: KeyChange): Keys {
  const next: Record<string, string> = { ...keys };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete next[key];
    else next[key] = value;
  }
  return next;
}

/** The keys that a link takes away; keysOf has each view's own. */
export function keysThatEnd({ view, keys }: Link, keysOf: ReadonlyMap<string, UrlKeys>): KeyChange {
  const ended: Record<string, null> = {};
  for (const [id, urlKeys] of keysOf) {
    for (const [key, life] of Object.entries(urlKeys)) {
      const isLeft =
        (life === "ofLink" && id === view) ||
        (life === "ofContext" && "context" in keys) ||
        (life === "ofPass" && "pass" in keys);
      if (isLeft) ended[key] = null;
    }
  }
  return ended;
}

/**
 * The view that is meant where the URL names keys and no view: the first that has one of them; for a context or pass
 * alone the first whose keys mean something of a pass. "" where they are nobody's.
 */
export function viewOfKeys(keys: Keys, keysOf: ReadonlyMap<string, UrlKeys>): string {
  const ids = [...keysOf.keys()];
  const owner = ids.find((id) => Object.keys(keysOf.get(id)!).some((key) => key in keys));
  if (owner !== undefined) return owner;
  if (!("context" in keys) && !("pass" in keys)) return "";
  return ids.find((id) => Object.values(keysOf.get(id)!).includes("ofPass")) ?? "";
}

/** The token of a printed URL's fragment, and the fragment without it. */
export function takeToken(fragment: string): { token: string | null; fragment: string } {
  const token = fieldsOf(fragment).get("token");
  return token === null ? { token, fragment } : { token, fragment: formatPlace(parsePlace(fragment)) };
}

function fieldsOf(fragment: string): URLSearchParams {
  return new URLSearchParams(fragment.replace(/^#/, ""));
}
