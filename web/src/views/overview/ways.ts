// Where the overview's figures lead, for those that no other view has a link to. Pure.
import type { Link } from "../../lib/place";

export const linkToCollectives: Link = { view: "collectives", keys: {} };
export const linkToSequences: Link = { view: "sequences", keys: {} };
export const linkToDelegation: Link = { view: "delegation", keys: {} };
export const linkToInfo: Link = { view: "info", keys: {} };

/** The whole of the timeline. */
export const linkToTimeline: Link = { view: "timeline", keys: { time: null } };
/** The Inspector's table of that name. */
export const linkToInspector = (table: "modules" | null): Link => ({ view: "inspector", keys: { inspect: table } });
