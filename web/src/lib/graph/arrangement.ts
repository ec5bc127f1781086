// Arrangement: how much of a state's graph is drawn, and how, as it stands in the URL: the neighbourhood of a node, ops
// left out, like nodes folded into one, or all of it laid out by itself. Without any, the graph stands where its
// epoch's layout has put it.

import type { UrlKeys } from "../place";

export type Focus =
  | { kind: "near"; node: number; radius: number }
  | { kind: "up" | "down"; node: number }
  | { kind: "between"; node: number; other: number };

export interface Arrangement {
  focus: Focus | null;
  /** Ops left out, by name. */
  hiddenOps: readonly string[];
  hidesConstants: boolean;
  hidesIndexing: boolean;
  /** Leaves out nodes that only the bodies of calls and programs hold. */
  hidesBodies: boolean;
  /** Nodes whose bodies are the other way, shown or left out. */
  turnedCalls: readonly number[];
  /** Nodes whose excluded sources, lines in their boxes, are boxes too. */
  withExcluded: readonly number[];
  /** The least number of nodes that are alike and become one; 0 for none. */
  fold: number;
  /** Nodes whose groups are not folded. */
  unfolded: readonly number[];
  /** Edges over more layers than this are cut into stubs, 0 for none of them; null for the layout's own choice. */
  cutLayers: number | null;
  /** The state that is laid out by itself; null for none. */
  compact: number | null;
  /** The layout that took a hundred times the work, where there is one. */
  better: boolean;
}

/** The bodies that are left out. */
export type BodyChoice = Pick<Arrangement, "hidesBodies" | "turnedCalls">;

/** Nothing is left out, and everything stands where the epoch's layout has it. */
export const kWhole: Arrangement = {
  focus: null,
  hiddenOps: [],
  hidesConstants: false,
  hidesIndexing: false,
  hidesBodies: false,
  turnedCalls: [],
  withExcluded: [],
  fold: 0,
  unfolded: [],
  cutLayers: null,
  compact: null,
  better: false,
};

type Fields = Readonly<Record<string, string>>;

/** How many like nodes are worth a fold. */
export const kFold = 4;
export const kFirstRadius = 2;
/** Its keys of the URL: some mean nodes of one pass, and are left behind with it. */
export const arrangementKeys = {
  focus: "ofPass",
  hide: "kept",
  calls: "ofPass",
  excluded: "ofPass",
  fold: "kept",
  unfold: "ofPass",
  cut: "kept",
  compact: "ofPass",
  layout: "ofPass",
} as const satisfies UrlKeys;

const kConstants = "constants";
const kIndexing = "indexing";
const kBodies = "bodies";
const kMostRadius = 99;

/** Keys that make no sense are as if they were not there. */
export function parseArrangement(fields: Fields): Arrangement {
  const hidden = (fields.hide ?? "").split(",").filter((name) => name !== "");
  return {
    focus: parseFocus(fields.focus),
    hiddenOps: hidden.filter((name) => name !== kConstants && name !== kIndexing && name !== kBodies),
    hidesConstants: hidden.includes(kConstants),
    hidesIndexing: hidden.includes(kIndexing),
    hidesBodies: hidden.includes(kBodies),
    turnedCalls: parseNumbers(fields.calls),
    withExcluded: parseNumbers(fields.excluded),
    fold: Math.min(parseNumber(fields.fold) ?? 0, 1e6),
    unfolded: parseNumbers(fields.unfold),
    cutLayers: parseNumber(fields.cut),
    compact: parseNumber(fields.compact),
    better: fields.layout === "better",
  };
}

/** The fields that differ from none at all; null for those to be taken away. */
export function formatArrangement(arrangement: Arrangement): Record<keyof typeof arrangementKeys, string | null> {
  const { hiddenOps, hidesConstants, hidesIndexing, fold, unfolded, cutLayers, compact, focus, better } = arrangement;
  const { hidesBodies, turnedCalls, withExcluded } = arrangement;
  const hidden = [
    ...(hidesConstants ? [kConstants] : []),
    ...(hidesIndexing ? [kIndexing] : []),
    ...(hidesBodies ? [kBodies] : []),
    ...hiddenOps,
  ];
  return {
    focus: focus === null ? null : formatFocus(focus),
    hide: hidden.length === 0 ? null : hidden.join(","),
    calls: turnedCalls.length === 0 ? null : turnedCalls.join(","),
    excluded: withExcluded.length === 0 ? null : withExcluded.join(","),
    fold: fold < 2 ? null : String(fold),
    unfold: unfolded.length === 0 || fold < 2 ? null : unfolded.join(","),
    cut: cutLayers === null ? null : String(cutLayers),
    compact: compact === null ? null : String(compact),
    layout: better ? "better" : null,
  };
}

/** Whether it leaves out, adds or folds anything, so that the server has to say what is left. */
export function isView(arrangement: Arrangement): boolean {
  const { focus, hiddenOps, hidesConstants, hidesIndexing, hidesBodies, turnedCalls, fold, cutLayers } = arrangement;
  if (hidesBodies || turnedCalls.length > 0 || arrangement.withExcluded.length > 0) return true;
  return focus !== null || hiddenOps.length > 0 || hidesConstants || hidesIndexing || fold >= 2 || cutLayers !== null;
}

/** The query of /focus that answers it (server/http/API.md), without its question mark. */
export function queryOfView(arrangement: Arrangement): string {
  const { focus, hiddenOps, hidesConstants, hidesIndexing, fold, unfolded, cutLayers } = arrangement;
  const query = new URLSearchParams();
  if (focus !== null) {
    query.set("node", String(focus.node));
    if (focus.kind === "near") query.set("radius", String(focus.radius));
    else if (focus.kind === "between") query.set("between", String(focus.other));
    else query.set("cone", focus.kind);
  }
  if (hiddenOps.length > 0) query.set("hide", [...new Set(hiddenOps)].join(","));
  if (hidesConstants) query.set("hide_constants", "1");
  if (hidesIndexing) query.set("hide_index", "1");
  if (arrangement.hidesBodies) query.set("hide_bodies", "1");
  if (arrangement.turnedCalls.length > 0) query.set("turn", arrangement.turnedCalls.join(","));
  if (arrangement.withExcluded.length > 0) query.set("excluded_of", arrangement.withExcluded.join(","));
  if (fold >= 2) query.set("fold", String(fold));
  if (fold >= 2 && unfolded.length > 0) query.set("unfold", unfolded.join(","));
  if (cutLayers !== null) query.set("cut", String(cutLayers));
  return query.toString();
}

function formatFocus(focus: Focus): string {
  if (focus.kind === "near") return `near:${focus.node}:${focus.radius}`;
  return focus.kind === "between" ? `between:${focus.node}:${focus.other}` : `${focus.kind}:${focus.node}`;
}

/** Whether the body of a node that has one is left out. */
export function isBodyHidden({ hidesBodies, turnedCalls }: BodyChoice, node: number): boolean {
  return hidesBodies !== turnedCalls.includes(node);
}

/** With this node's body the other way. */
export function turnBody({ turnedCalls }: BodyChoice, node: number): Pick<Arrangement, "turnedCalls"> {
  return { turnedCalls: withOrWithout(turnedCalls, node) };
}

/** With this node's excluded sources as boxes, or without them where they are. */
export function turnExcluded({ withExcluded }: Arrangement, node: number): Pick<Arrangement, "withExcluded"> {
  return { withExcluded: withOrWithout(withExcluded, node) };
}

function withOrWithout(nodes: readonly number[], node: number): number[] {
  return nodes.includes(node) ? nodes.filter((other) => other !== node) : [...nodes, node];
}

function parseFocus(text: string | undefined): Focus | null {
  const [kind, ...numbers] = (text ?? "").split(":");
  const [node, second] = numbers.map(parseNumber);
  if (node === undefined || node === null) return null;
  if (kind === "up" || kind === "down") return { kind, node };
  if (second === undefined || second === null) return null;
  if (kind === "near") return { kind, node, radius: Math.min(second, kMostRadius) };
  return kind === "between" ? { kind, node, other: second } : null;
}

function parseNumbers(text: string | undefined): number[] {
  return (text ?? "")
    .split(",")
    .map(parseNumber)
    .filter((n) => n !== null);
}

function parseNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
