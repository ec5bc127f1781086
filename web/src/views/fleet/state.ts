// Which job, which part of it and which rank are on screen, all of it in the URL, and what the store says of them. A
// store that does not answer is asked again until it does.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Keys } from "../../lib/place";
import type { Problem } from "../../lib/result";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import type { SqlState } from "../parts/sql/state";
import { createJobSql } from "./job-sql";
import {
  heatOfBusy,
  heatOfSteps,
  namedRows,
  rowsOfRanks,
  type BusyRank,
  type HeatRows,
  type Job,
  type JobKernel,
  type Rank,
  type RankRow,
  type StepHeat,
  type StepsOfRank,
  type WireJobRows,
} from "./model";

export const kParts = { ranks: "Ranks", kernels: "Kernels", compare: "Compare", sql: "SQL" } as const;
export type Part = keyof typeof kParts;

export interface Comparison {
  name: string;
  before_ns: number;
  after_ns: number;
  before_launches: number;
  after_launches: number;
}

export interface FleetState {
  jobs: ReadonlySignal<Job[] | null>;
  /** The job on screen; null: the list of jobs is. */
  job: ReadonlySignal<string | null>;
  part: ReadonlySignal<Part>;
  chosen: ReadonlySignal<number | null>;
  ranks: ReadonlySignal<RankRow[] | null>;
  steps: ReadonlySignal<StepHeat | null>;
  busy: ReadonlySignal<HeatRows | null>;
  kernels: ReadonlySignal<JobKernel[] | null>;
  other: ReadonlySignal<string | null>;
  /** The words that rows of a table have to hold. */
  text: ReadonlySignal<string>;
  comparison: ReadonlySignal<Comparison[] | null>;
  sql: SqlState;
  /** What the store, or vizd, said in place of an answer. */
  problem: ReadonlySignal<Problem | null>;
  opening: ReadonlySignal<number | null>;
  goToJob(job: string | null): void;
  goToPart(part: Part): void;
  choose(rank: number | null): void;
  compareWith(job: string): void;
  setText(text: string): void;
  /** Takes the rank out of the store and shows it beside what is open. */
  open(rank: number): Promise<void>;
  reload(): void;
}

/** How long a store that does not answer is left alone. */
const kAskAgain_ms = 3000;
/** As the key `job` has it where the list of jobs is asked for. */
const kAllJobs = "";

export function createFleet(app: App): FleetState {
  const { api, place, session, notices, uploads } = app;
  const key = place.key("job");
  const asked = signal(0);
  const isShown = computed(() => place.view.value === "fleet" || session.capture.value === null);

  function follow<T>(path: ReadonlySignal<string | null>): ReadonlySignal<Fetched<T>> {
    return followWish<T>(
      computed(() => (path.value === null || !isShown.value ? null : `${asked.value} ${path.value}`)),
      (wanted, abort) => api.getJson<T>(wanted, abort),
    );
  }
  function followRows<Row>(path: ReadonlySignal<string | null>) {
    const fetched = follow<WireJobRows>(path);
    const rows = computed(() => {
      // While the same is asked again, the old stays on screen.
      const value = fetched.value.value;
      const path = (wish: string | null) => wish?.slice(wish.indexOf(" "));
      return value !== null && path(value.wish) === path(fetched.value.wish) ? namedRows<Row>(value.data) : null;
    });
    return { fetched, rows };
  }

  const jobs = followRows<Job>(signal("/api/v1/fleet/jobs"));
  const job = computed(() => {
    if (key.value !== undefined) return key.value === kAllJobs ? null : key.value;
    const first = session.info.value?.store?.job ?? "";
    if (first !== "") return first;
    return jobs.rows.value?.length === 1 ? jobs.rows.value[0]!.job : null;
  });
  const partKey = place.key("jobpart");
  const part = computed<Part>(() =>
    partKey.value !== undefined && partKey.value in kParts ? (partKey.value as Part) : "ranks",
  );
  const pathOf = (what: string, parts: readonly Part[]) =>
    computed(() =>
      job.value === null || !parts.includes(part.value)
        ? null
        : `/api/v1/fleet/${what}?job=${encodeURIComponent(job.value)}`,
    );
  const ranks = followRows<Rank>(pathOf("ranks", ["ranks"]));
  const busy = followRows<BusyRank>(pathOf("busy", ["ranks"]));
  const steps = followRows<StepsOfRank>(pathOf("steps", ["ranks"]));
  const last = followRows<{ rank: number; times: number }>(pathOf("collectives", ["ranks"]));
  const kernels = followRows<JobKernel>(pathOf("kernels", ["kernels"]));
  const withKey = place.key("jobwith");
  const other = computed(() => {
    const others = (jobs.rows.value ?? []).map((one) => one.job).filter((name) => name !== job.value);
    return others.find((name) => name === withKey.value) ?? others[0] ?? null;
  });
  const comparison = followRows<Comparison>(
    computed(() =>
      part.value !== "compare" || job.value === null || other.value === null
        ? null
        : `/api/v1/fleet/compare?job=${encodeURIComponent(job.value)}&with=${encodeURIComponent(other.value)}`,
    ),
  );
  const heat = computed(() =>
    steps.rows.value === null || steps.rows.value.length === 0 ? null : heatOfSteps(steps.rows.value),
  );
  const all = [jobs, ranks, busy, steps, last, kernels, comparison];
  const problem = computed(
    () => all.map(({ fetched }) => fetched.value.problem).find((found) => found !== null) ?? null,
  );
  effect(() => {
    if (problem.value === null || !isShown.value) return;
    const timer = setTimeout(() => asked.value++, kAskAgain_ms);
    return () => clearTimeout(timer);
  });

  const chosenKey = place.key("jobrank");
  const textKey = place.key("jobfind");
  const opening = signal<number | null>(null);

  /** keysOf: of the timeline, once it is sure that the rank can be shown. */
  async function openAt(name: string, rank: number, keysOf: () => Keys | Promise<Keys>): Promise<void> {
    if (opening.peek() !== null) return;
    opening.value = rank;
    notices.clear("fleet");
    const found = await api.getJson<{ path: string }>(
      `/api/v1/fleet/open?job=${encodeURIComponent(name)}&rank=${rank}`,
    );
    const keys = found.ok ? await keysOf() : {};
    const capture = found.ok ? await uploads.waitFor(found.value.path) : null;
    opening.value = null;
    if (!found.ok) notices.show("fleet", found.error);
    if (capture !== null) place.goTo({ view: "timeline", capture, keys });
  }

  return {
    jobs: jobs.rows,
    job,
    part,
    chosen: computed(() => (chosenKey.value === undefined ? null : Number(chosenKey.value))),
    ranks: computed(() =>
      // All that the table is sorted by, or nothing: rows that change places under the pointer are worse than none.
      ranks.rows.value === null || busy.rows.value === null || steps.rows.value === null
        ? null
        : rowsOfRanks(ranks.rows.value, busy.rows.value, heat.value, last.rows.value ?? []),
    ),
    steps: heat,
    busy: computed(() =>
      busy.rows.value === null || ranks.rows.value === null ? null : heatOfBusy(busy.rows.value, ranks.rows.value),
    ),
    kernels: kernels.rows,
    other,
    comparison: comparison.rows,
    text: computed(() => textKey.value ?? ""),
    sql: createJobSql(app, { job, isShown: computed(() => isShown.value && part.value === "sql"), asked, openAt }),
    problem,
    opening,
    goToJob: (name) => place.follow({ view: "fleet", keys: { job: name ?? kAllJobs, jobrank: null, jobfind: null } }),
    goToPart: (next) => place.follow({ view: "fleet", keys: { jobpart: next } }),
    choose: (rank) => place.adjust({ jobrank: rank === null ? null : String(rank) }),
    compareWith: (name) => place.adjust({ jobwith: name }),
    setText: (next) => place.adjust({ jobfind: next === "" ? null : next }),
    open: (rank) => openAt(job.peek()!, rank, () => ({})),
    reload: () => asked.value++,
  };
}
