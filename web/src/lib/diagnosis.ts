// The server's diagnosis (server/http/API.md): what cost the most time, and what the rules that found nothing looked at.
import type { Link } from "./place";

export interface WireEvidence {
  /** As `vizd open` takes it. */
  id: string;
  shows: string;
  /** Null: the page has no place for it. */
  link: Link | null;
}

export interface WireFinding {
  rule: string;
  title: string;
  detail: string;
  /** Null: it costs memory, and no time that is known. */
  cost_ns: number | null;
  percent: number;
  of: string;
  per_step_ns: number | null;
  sure: "measured" | "likely" | "at most";
  next: string;
  evidence: WireEvidence[];
}

/** The three ways in which there is nothing to say. */
export type Nothing = "none" | "not recorded" | "not asked";

export interface WireSilence {
  rule: string;
  looks_at: string;
  nothing: Nothing;
  why: string;
  how: string;
}

export interface WireDiagnosis {
  whole_ns: number;
  devices: number;
  steps: number;
  findings: WireFinding[];
  left_out: number;
  silent: WireSilence[];
}

/** The rules by why they found nothing, those that lack the same together. */
export function groupSilent(silent: readonly WireSilence[]): { says: string; how: string; rules: WireSilence[] }[] {
  const groups = new Map<string, { says: string; how: string; rules: WireSilence[] }>();
  for (const rule of silent) {
    const says = rule.why === "" ? rule.nothing : `${rule.nothing}: ${rule.why}`;
    // That there is none is said of each rule by itself.
    const key = rule.nothing === "none" ? `none ${rule.rule}` : says;
    const group = groups.get(key) ?? { says, how: rule.how, rules: [] };
    group.rules.push(rule);
    groups.set(key, group);
  }
  return [...groups.values()];
}
