// The job, the part of it and the rank that are on screen, as the URL has them, and what the store says of them. A
// store that does not answer is asked again until it does.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Keys } from "../../lib/place";
import type { Problem } from "../../lib/result";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import type { SqlState } from "../parts/sql/state";
import { createJobSql } from "./job-sql";
import { createLists, type FleetLists } from "./lists";
import {
  heatOfBusy,
  heatOfSteps,
  namedRows,
  rowsOfRanks,
  type BusyRank,
  type LateRank,
  type Comparison,
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
  lists: FleetLists;
  comparison: ReadonlySignal<Comparison[] | null>;
  sql: SqlState;
  /** The store's, or vizd's, error in place of an answer. */
  problem: ReadonlySignal<Problem | null>;
  opening: ReadonlySignal<number | null>;
  goToJob(job: string | null): void;
  goToPart(part: Part): void;
  choose(rank: number | null): void;
  compareWith(job: string): void;
  /** Takes the rank out of the store and shows it beside what is open. */
  open(rank: number): Promise<void>;
  reload(): void;
}

/** How long a store that does not answer is left alone. */
const kAskAgain_ms = 3000;
/** As the key `job` has it where the list of jobs is asked for. */
const kAllJobs = "";

export function createFleet(app: App): FleetState {
  const { place, session } = app;
  const asked = signal(0);
  const isShown = computed(() => place.view.value === "fleet" || session.capture.value === null);
  const fetcher = new RowFetcher(app, asked, isShown);
  const jobs = fetcher.follow<Job>(signal("/api/v1/fleet/jobs"));
  const choice = createChoice(app, jobs.rows);
  const answers = followAnswers(fetcher, choice);
  const problem = computed(
    () => fetcher.all.map((fetched) => fetched.value.problem).find((found) => found !== null) ?? null,
  );
  effect(() => {
    if (problem.value === null || !isShown.value) return;
    const timer = setTimeout(() => asked.value++, kAskAgain_ms);
    return () => clearTimeout(timer);
  });
  const { opening, openAt } = createOpening(app);
  const { job, part } = choice;
  const choose = (rank: number | null) => place.adjust({ jobrank: rank === null ? null : String(rank) });
  const goToPart = (next: Part) => place.follow({ view: "fleet", keys: { jobpart: next } });
  const open = (rank: number) => openAt(job.peek()!, rank, () => ({}));
  const opener = {
    opening,
    open(rank: number) {
      choose(rank);
      void open(rank);
    },
  };
  const goToRank = (rank: number) => {
    choose(rank);
    goToPart("ranks");
  };
  const isSqlShown = computed(() => isShown.value && part.value === "sql");
  return {
    jobs: jobs.rows,
    ...choice,
    ...answers,
    lists: createLists(place, { jobs: jobs.rows, ...answers, ...choice }, opener, goToRank),
    sql: createJobSql(app, { job, isShown: isSqlShown, asked, openAt }),
    problem,
    opening,
    goToJob: (name) => place.follow({ view: "fleet", keys: { job: name ?? kAllJobs, jobrank: null, jobfind: null } }),
    goToPart,
    choose,
    compareWith: (name) => place.adjust({ jobwith: name }),
    open,
    reload: () => asked.value++,
  };
}

/** The parts of the state that the URL chooses. */
type Choice = Pick<FleetState, "job" | "part" | "other" | "chosen">;

function createChoice({ place, session }: App, jobs: ReadonlySignal<Job[] | null>): Choice {
  const [jobKey, partKey, withKey] = [place.key("job"), place.key("jobpart"), place.key("jobwith")];
  const chosenKey = place.key("jobrank");
  const job = computed(() => {
    if (jobKey.value !== undefined) return jobKey.value === kAllJobs ? null : jobKey.value;
    const first = session.info.value?.store?.job ?? "";
    if (first !== "") return first;
    return jobs.value?.length === 1 ? jobs.value[0]!.job : null;
  });
  return {
    job,
    part: computed<Part>(() =>
      partKey.value !== undefined && partKey.value in kParts ? (partKey.value as Part) : "ranks",
    ),
    other: computed(() => {
      const others = (jobs.value ?? []).map((one) => one.job).filter((name) => name !== job.value);
      return others.find((name) => name === withKey.value) ?? others[0] ?? null;
    }),
    chosen: computed(() => (chosenKey.value === undefined ? null : Number(chosenKey.value))),
  };
}

/** Fetches lists of the store, again each time that `asked` has grown, while they are shown. */
class RowFetcher {
  /** Every list that is followed. */
  readonly all: ReadonlySignal<Fetched<WireJobRows>>[] = [];

  constructor(
    private readonly app: Pick<App, "api">,
    private readonly asked: ReadonlySignal<number>,
    private readonly isShown: ReadonlySignal<boolean>,
  ) {}

  follow<Row>(path: ReadonlySignal<string | null>): { rows: ReadonlySignal<Row[] | null> } {
    const fetched = followWish<WireJobRows>(
      computed(() => (path.value === null || !this.isShown.value ? null : `${this.asked.value} ${path.value}`)),
      (wanted, abort) => this.app.api.getJson<WireJobRows>(wanted, abort),
    );
    this.all.push(fetched);
    const rows = computed(() => {
      // While the same is asked again, the old stays on screen.
      const value = fetched.value.value;
      const path = (wish: string | null) => wish?.slice(wish.indexOf(" "));
      return value !== null && path(value.wish) === path(fetched.value.wish) ? namedRows<Row>(value.data) : null;
    });
    return { rows };
  }
}

/** The store's answers about the job and the part on screen. */
function followAnswers(
  fetcher: RowFetcher,
  { job, part, other }: Choice,
): Pick<FleetState, "ranks" | "steps" | "busy" | "kernels" | "comparison"> {
  const pathOf = (what: string, wanted: Part) =>
    computed(() =>
      job.value === null || part.value !== wanted ? null : `/api/v1/fleet/${what}?job=${encodeURIComponent(job.value)}`,
    );
  const { rows: ranks } = fetcher.follow<Rank>(pathOf("ranks", "ranks"));
  const { rows: busy } = fetcher.follow<BusyRank>(pathOf("busy", "ranks"));
  const { rows: steps } = fetcher.follow<StepsOfRank>(pathOf("steps", "ranks"));
  const { rows: late } = fetcher.follow<LateRank>(pathOf("collectives", "ranks"));
  const { rows: kernels } = fetcher.follow<JobKernel>(pathOf("kernels", "kernels"));
  const { rows: comparison } = fetcher.follow<Comparison>(
    computed(() =>
      part.value !== "compare" || job.value === null || other.value === null
        ? null
        : `/api/v1/fleet/compare?job=${encodeURIComponent(job.value)}&with=${encodeURIComponent(other.value)}`,
    ),
  );
  const heat = computed(() => (steps.value === null || steps.value.length === 0 ? null : heatOfSteps(steps.value)));
  return {
    ranks: computed(() =>
      // All that the table is sorted by, or nothing: rows that change places under the pointer are worse than none.
      ranks.value === null || busy.value === null || steps.value === null
        ? null
        : rowsOfRanks(ranks.value, busy.value, heat.value, late.value ?? []),
    ),
    steps: heat,
    busy: computed(() => (busy.value === null || ranks.value === null ? null : heatOfBusy(busy.value, ranks.value))),
    kernels,
    comparison,
  };
}

/** Takes ranks out of the store, one at a time. */
function createOpening({ api, notices, uploads, place }: App) {
  const opening = signal<number | null>(null);
  return {
    opening,
    /** keysOf: of the timeline, once it is sure that the rank can be shown. */
    async openAt(name: string, rank: number, keysOf: () => Keys | Promise<Keys>): Promise<void> {
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
    },
  };
}
