// More shapes of server/http/API.md: what it answers about a pass's history and a capture's rules.
import type { WireKind, WireLayout } from "./wire";

/** A layout of one state that has its own edges: number in the model or -1, and whether it leads past hidden nodes. */
export interface WireViewLayout extends Omit<WireLayout, "edges"> {
  edges: WireLayout["edges"] & { source: number[]; user: number[]; port: number[]; bridged: number[] };
}

/** The answer to /focus: a part of a state's graph, or all of it made smaller. */
export interface WireView {
  state: number;
  of: number;
  left_out: number;
  hidden: number;
  folds: { id: number; ids: number[] }[];
  excluded: number[];
  layout: WireViewLayout;
}

export interface WireSearch {
  query: string;
  state: number;
  total: number;
  ids: number[];
  first_state: { some: number | null; none: number | null } | null;
  error: { message: string; at: number } | null;
}

/** The rule of a match of a node's biography. */
export interface WireRule {
  location: number;
  file: string;
  line: number;
  code: string | null;
  state: number;
}

export interface WireBiography {
  id: number;
  born: number;
  died: number;
  born_by: WireRule | null;
  died_by: WireRule | null;
  into: number;
  absorbed: number[];
  made_from: number;
  replaced_by: number;
  versions: {
    state: number;
    kind: WireKind;
    label: string;
    dtype: string;
    arg: string;
    tag: string | null;
    inlined: number;
    ref: number;
    rule: WireRule | null;
  }[];
}

export interface WirePlaceOfState {
  context: number;
  pass: number;
  state: number;
}

export interface WireDiff {
  from: WirePlaceOfState;
  to: WirePlaceOfState;
  diff: string[];
  only_from: number[];
  only_to: number[];
  changed: { from: number[]; to: number[] };
  same: { from: number[]; to: number[] };
}

export interface WireRules {
  revision: number;
  matches: number;
  rules: {
    location: number[];
    file: string[];
    line: number[];
    code: (string | null)[];
    matches: number[];
    added: number[];
    removed: number[];
    unchanged: number[];
    undone: number[];
    undoing: number[];
    dur_ns: number[] | null;
    passes: number[];
    contexts: number[];
  };
  undoes: { undone: number; by: number; count: number; context: number; pass: number; from: number; to: number }[];
}

export interface WireRuleMatches {
  total: number;
  offset: number;
  matches: {
    context: number[];
    pass: number[];
    state: number[];
    location: number[];
    added: number[];
    removed: number[];
    changed: number[];
    undone_at: number[];
    dur_ns: number[] | null;
    before: string[];
    after: string[];
  };
}

/** The answer to a request that takes long, until it is done (202). */
export interface WirePending {
  progress: { done: number; of: number };
}
