// In which order the search's hits are listed: by start, duration, name or an argument, as the server has it
// (server/http/API.md).
import { stripAnsi } from "../ansi";
import type { EventItem } from "./events";

export interface EventOrder {
  /** "start", "dur", "name" or "argument:NAME". */
  by: string;
  descending: boolean;
}

export const kByStart: EventOrder = { by: "start", descending: false };
const kArgument = "argument:";

export const argumentOrder = (name: string) => kArgument + name;

export function formatOrder({ by, descending }: EventOrder): string {
  return descending ? `-${by}` : by;
}

export function argumentOf(item: EventItem, name: string): number | string | undefined {
  return item.arguments?.find((argument) => argument.name === name)?.value;
}

/** As the server orders them: without the argument last, whichever way; numbers before texts; equal ones by start. */
export function compareEvents({ by, descending }: EventOrder): (a: EventItem, b: EventItem) => number {
  const valueOf = (item: EventItem) => {
    if (by === "start") return item.start;
    if (by === "dur") return item.dur;
    return by === "name" ? stripAnsi(item.label) : argumentOf(item, by.slice(kArgument.length));
  };
  const compare = (a: number | string, b: number | string) => {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  return (a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    const order =
      left === undefined || right === undefined
        ? Number(left === undefined) - Number(right === undefined)
        : (descending ? -1 : 1) * compare(left, right);
    return order || a.start - b.start || a.lane - b.lane || a.event - b.event;
  };
}
