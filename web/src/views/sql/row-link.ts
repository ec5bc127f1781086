// Where the rows of an answer lead in the page.
import { linkToEvent, linkToPass, linkToProgram, linkToProgramAlone, linkToRule, linkToTime } from "../../lib/links";
import type { Link } from "../../lib/place";
import { numberOfValue } from "../parts/sql/answer";
import type { WireValue } from "../parts/sql/wire";
import type { WireLink } from "./wire";

/** Where the row leads; born: the state that its node is first in, where the answer has that. */
export function linkOfRow(link: WireLink | null, born: WireValue = null): Link | null {
  if (link === null) return null;
  const named = ([index, name]: [number, string]) => ({ index, name });
  if ("slice" in link) return linkToEvent(link.slice);
  if ("rule" in link) return linkToRule([...link.rule, null]);
  if ("program" in link) return linkToProgramAlone(named(link.program));
  if ("program_of" in link) return linkToProgram(named(link.program_of));
  if ("time" in link) return linkToTime({ from: link.time[0], to: link.time[1] });
  const match = link.match ?? (link.node === undefined ? 0 : (numberOfValue(born) ?? 0));
  const pass = linkToPass(named(link.context), link.pass === undefined ? null : named(link.pass), match);
  return link.node === undefined ? pass : { ...pass, keys: { ...pass.keys, node: String(link.node) } };
}

/** The name of a link's kind, for the row's title. */
export function nameOfLink(link: WireLink): string {
  if ("slice" in link) return "the event on the timeline";
  if ("rule" in link) return "the rule";
  if ("program" in link || "program_of" in link) return "the program";
  if ("time" in link) return "the time on the timeline";
  if (link.node !== undefined) return "the node";
  if (link.match !== undefined) return "the match";
  return link.pass === undefined ? "the context" : "the pass";
}
