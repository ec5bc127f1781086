// Place: where the user is, as it stands in the URL's fragment: names and numbers, never data. Reload, back and a link
// in a chat all lead to the same place. A context and a pass are known by index and name, so that they are found
// again after a reload that added others before them.

export interface NamedIndex {
  index: number;
  /** Without colours. */
  name: string;
}

export interface Camera {
  /** What lies at the middle of the view, in layout pixels. */
  x: number;
  y: number;
  zoom: number;
}

export interface Place {
  view: string;
  /** A capture's name; null is the first. */
  capture: string | null;
  context: NamedIndex | null;
  pass: NamedIndex | null;
  /** Matches applied: 0 is the pass's input graph. */
  match: number;
  node: number | null;
  camera: Camera | null;
  /** What other views keep here, by key: a time range, a filter. */
  rest: Readonly<Record<string, string>>;
}

export const kHome: Place = {
  view: "",
  capture: null,
  context: null,
  pass: null,
  match: 0,
  node: null,
  camera: null,
  rest: {},
};

const kOwnKeys = new Set(["view", "capture", "context", "pass", "match", "node", "camera", "token"]);

/** "3:E_4". */
export function formatNamedIndex({ index, name }: NamedIndex): string {
  return `${index}:${name}`;
}

/** Reads a fragment (with or without #). What is missing or makes no sense is as at home. */
export function parsePlace(fragment: string): Place {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const rest: Record<string, string> = {};
  for (const [key, value] of fields) {
    if (!kOwnKeys.has(key)) rest[key] = value;
  }
  return {
    view: fields.get("view") ?? "",
    capture: fields.get("capture"),
    context: parseNamedIndex(fields.get("context")),
    pass: parseNamedIndex(fields.get("pass")),
    match: parseCount(fields.get("match")) ?? 0,
    node: parseCount(fields.get("node")),
    camera: parseCamera(fields.get("camera")),
    rest,
  };
}

/** The fragment of a place, with its #; "" at home. */
export function formatPlace(place: Place): string {
  const fields = new URLSearchParams();
  if (place.view !== "") fields.set("view", place.view);
  if (place.capture !== null) fields.set("capture", place.capture);
  if (place.context !== null) fields.set("context", formatNamedIndex(place.context));
  if (place.pass !== null) fields.set("pass", formatNamedIndex(place.pass));
  if (place.match !== 0) fields.set("match", String(place.match));
  if (place.node !== null) fields.set("node", String(place.node));
  if (place.camera !== null) fields.set("camera", formatCamera(place.camera));
  for (const [key, value] of Object.entries(place.rest)) fields.set(key, value);
  const text = fields.toString().replace(/%2C/g, ",").replace(/%3A/g, ":");
  return text === "" ? "" : `#${text}`;
}

/** The rest with keys set, and those that are null taken away. */
export function changeRest(
  rest: Place["rest"],
  change: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const next: Record<string, string> = { ...rest };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete next[key];
    else next[key] = value;
  }
  return next;
}

/** The token of a printed URL's fragment, and the fragment without it. */
export function takeToken(fragment: string): { token: string | null; fragment: string } {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const token = fields.get("token");
  if (token === null) return { token, fragment };
  return { token, fragment: formatPlace(parsePlace(fragment)) };
}

/**
 * Finds what a place names in a list of names: at its index, else by name nearest to the index, else null. A place
 * without a name (written by hand) goes by index alone.
 */
export function resolveNamedIndex(wanted: NamedIndex | null, names: readonly string[]): number | null {
  if (wanted === null) return null;
  const { index, name } = wanted;
  if (names[index] === name || (name === "" && index < names.length)) return index;
  let best: number | null = null;
  names.forEach((candidate, i) => {
    if (candidate === name && (best === null || Math.abs(i - index) < Math.abs(best - index))) best = i;
  });
  return best;
}

export function parseNamedIndex(text: string | null): NamedIndex | null {
  if (text === null) return null;
  const colon = text.indexOf(":");
  const index = parseCount(colon < 0 ? text : text.slice(0, colon));
  return index === null ? null : { index, name: colon < 0 ? "" : text.slice(colon + 1) };
}

function parseCount(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** "X,Y,ZOOM", with that many digits of a pixel. */
export function formatCamera({ x, y, zoom }: Camera, digits = 0): string {
  return `${Number(x.toFixed(digits))},${Number(y.toFixed(digits))},${Number(zoom.toPrecision(4 + digits))}`;
}

export function parseCamera(text: string | null): Camera | null {
  const numbers = (text ?? "").split(",").map(Number);
  const [x, y, zoom] = numbers;
  if (numbers.length !== 3 || x === undefined || y === undefined || zoom === undefined) return null;
  return numbers.every(Number.isFinite) && zoom > 0 ? { x, y, zoom } : null;
}
