// SQL over a store: the twelve questions are asked of the job on screen, a row with a rank and a time leads to that
// rank's timeline there.
import { computed, type ReadonlySignal } from "@preact/signals";
import { linkToTime } from "../../lib/links";
import type { Keys } from "../../lib/place";
import type { App } from "../../state/app";
import { createSql, type SqlState, type Way } from "../parts/sql/state";
import type { WireRows, WireValue } from "../parts/sql/wire";
import { namedRows, type WireJobRows } from "./model";

interface JobSqlParts {
  job: ReadonlySignal<string | null>;
  isShown: ReadonlySignal<boolean>;
  /** Counts the times that the store is to be asked again. */
  asked: ReadonlySignal<number>;
  openAt: (job: string, rank: number, keysOf: () => Promise<Keys>) => Promise<void>;
}

function firstQuery(job: string): string {
  const name = job.replace(/[\\']/g, "\\$&");
  return `SELECT rank, count() AS slices, sum(dur) AS total_ns\nFROM slice\nWHERE job = '${name}'\nGROUP BY rank\nORDER BY total_ns DESC\nLIMIT 50`;
}

/** A whole number to its last digit; null for what is none. */
function wholeOf(value: WireValue | undefined): bigint | null {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof one === "number") return Number.isInteger(one) ? BigInt(one) : null;
  return typeof one === "string" && /^-?\d+$/.test(one) ? BigInt(one) : null;
}

export interface RankTime {
  job: string;
  rank: number;
  ts: bigint;
  dur: bigint;
}

/** The rank and the time that a row names, by its columns rank, ts and, where it has them, dur and job; else null. */
export function timeOfRow({ columns, rows }: WireRows, row: number, job: string): RankTime | null {
  const cell = (name: string) => rows[row]![columns.indexOf(name)];
  const [rank, ts, named] = [cell("rank"), wholeOf(cell("ts")), cell("job")];
  if (typeof rank !== "number" || ts === null) return null;
  return { job: typeof named === "string" ? named : job, rank, ts, dur: wholeOf(cell("dur")) ?? 0n };
}

export function createJobSql(app: App, { job, isShown, asked, openAt }: JobSqlParts): SqlState {
  /** A page's times count from the rank's start. */
  async function keysOf({ job, rank, ts, dur }: RankTime): Promise<Keys> {
    const found = await app.api.getJson<WireJobRows>(`/api/v1/fleet/ranks?job=${encodeURIComponent(job)}`);
    if (!found.ok) return {};
    const ranks = namedRows<{ rank: number; start_ns: WireValue }>(found.value);
    const start_ns = wholeOf(ranks.find((one) => one.rank === rank)?.start_ns);
    if (start_ns === null) return {};
    const from = Number(ts - start_ns);
    return linkToTime({ from, to: from + Number(dur) }).keys as Keys;
  }

  function wayOf(answer: WireRows, row: number): Way | null {
    const time = timeOfRow(answer, row, job.value ?? "");
    if (time === null) return null;
    const of = time.job === job.value ? "" : ` of ${time.job}`;
    return {
      to: `rank ${time.rank}${of} on the timeline, then`,
      go: () => void openAt(time.job, time.rank, () => keysOf(time)),
    };
  }

  return createSql<WireRows>(app, {
    key: "jobsql",
    link: () => ({ view: "fleet", keys: { job: job.peek(), jobpart: "sql" } }),
    isShown,
    schemaPath: computed(() =>
      job.value === null ? null : `/api/v1/fleet/schema?job=${encodeURIComponent(job.value)}`,
    ),
    path: computed(() => (job.value === null ? null : "/api/v1/fleet/sql")),
    mark: computed(() => String(asked.value)),
    firstQuery: () => firstQuery(job.peek() ?? ""),
    wayOf,
    lifeSign: "/api/v1/fleet/jobs",
  });
}
