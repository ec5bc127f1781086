// The timeline: the profile of the capture on screen, and what of it is looked at: time range, selection, chosen area,
// search, marks, how the lanes are arranged. All of that stands in the URL by name, so that a link leads there and a
// capture made anew keeps it. The profile is fetched when a view first wants it.
import { batch, computed } from "@preact/signals";
import { kTraceKey, linkToProgram } from "../../../lib/links";
import { besideByItself, formatBeside, kBesideKey, parseBeside } from "../../../lib/timeline/beside";
import type { App } from "../../../state/app";
import { fetchProfile } from "../profile/profile";
import { createLeading, createUncover } from "./leading";
import { createAsk, followSearch, followSelection } from "./questions";
import { SightKeeper } from "./sight-keeper";
import { createTimelineSignals, type TimelineSignals } from "./signals";
import { createSteps } from "./steps";
import type { TimelineState } from "./timeline-state";

export function createTimeline(app: App): TimelineState {
  const { session, place } = app;
  // The lanes of a thread trace are arranged by themselves.
  const signals = createTimelineSignals(() => {
    const [name, trace] = [session.capture.peek()?.name ?? null, place.key(kTraceKey).peek()];
    return name === null || trace === undefined ? name : `${name} run ${trace}`;
  });
  const ask = createAsk(signals);
  followSelection(signals, ask);
  followSearch(signals, ask);
  const uncover = createUncover(signals);
  const keeper = new SightKeeper(signals, place, ask, uncover);
  keeper.start();
  const fetching = followProfile(app, signals, keeper);
  const select: TimelineState["select"] = (item) => {
    keeper.stopSeeking();
    signals.selected.value = item;
    signals.gap.value = null;
    if (item !== null) signals.tab.value = "event";
  };
  const leading = createLeading(signals, ask, select, uncover);
  const state = {
    ...signals,
    ...fetching,
    ask,
    select,
    explainGap(lane: number, at: number) {
      select(null);
      ask(
        (asked) => asked.gapAt(lane, at),
        (gap) => {
          signals.gap.value = gap;
          if (gap !== null) signals.tab.value = "event";
        },
      );
    },
    ...leading,
    ...createWaysOut(app, keeper, ask, leading.frame),
  };
  return Object.assign(state, { steps: createSteps(state) });
}

/** Fetches the profiles that are wanted, and shows them. */
function followProfile(
  { api, session, place }: App,
  { source, problem, opening }: TimelineSignals,
  keeper: SightKeeper,
): Pick<TimelineState, "want" | "beside" | "setBeside"> {
  const besideText = place.key(kBesideKey);
  const byItself = computed(() => besideByItself(session.capture.value, session.info.value?.captures ?? []));
  const beside = computed(() => (besideText.value === undefined ? byItself.value : parseBeside(besideText.value)));
  const wanted = fetchProfile(api, session, beside, place.key(kTraceKey), {
    clear: () => (source.value = null),
    wait: (how) => (opening.value = how),
    fail: (error) => (problem.value = error),
    take(next) {
      batch(() => {
        problem.value = null;
        if (!next.isBeginning) opening.value = null;
        keeper.replace(next);
      });
    },
  });
  return {
    want: () => (wanted.value = true),
    beside,
    setBeside: (list) => place.adjust({ [kBesideKey]: formatBeside(list, byItself.peek()) }),
  };
}

/** From an event to what it leads to in other views. */
function createWaysOut(
  { session, place, chosen }: App,
  keeper: SightKeeper,
  ask: TimelineState["ask"],
  frame: TimelineState["frame"],
): Pick<TimelineState, "openProgram" | "open"> {
  /** So that back finds the timeline as it was left. */
  const keepSight = () => place.adjust(keeper.compose());
  return {
    openProgram(ref, text) {
      ask(
        (asked) => asked.detail(ref),
        ({ context }) => {
          if (session.contexts.peek()?.contexts[context]?.program !== true) return;
          keepSight();
          place.follow(linkToProgram(chosen.nameContext(context), text));
        },
      );
    },
    open(ref) {
      ask(
        (asked) => asked.detail(ref),
        ({ item, context, pass }) => {
          if (context < 0) return frame(item);
          keepSight();
          chosen.goToPass(context, Math.max(pass, 0));
        },
      );
    },
  };
}
