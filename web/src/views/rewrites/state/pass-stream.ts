// The pass on screen, as it streams in. A new pass's stream replaces the last one's; after a reload of the capture the
// old graph stays up until the new one has reached the match on screen, so that nothing blinks. The last few passes are
// kept whole: going back to one asks nothing.
import { batch, computed, effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import { Kept } from "../../../lib/kept";
import { keyOfPass, takePassEvent, type LoadedPass } from "../../../lib/graph/loaded-pass";
import type { Problem } from "../../../lib/result";
import { readEvents } from "../../../lib/sse";
import { findNewLabels, findSameNode } from "../../../lib/graph/pass-changes";
import type { WireProgress } from "../../../lib/graph/wire";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";
import type { SpotState } from "./spot";

export interface PassStream {
  loaded: ReadonlySignal<LoadedPass | null>;
  progress: ReadonlySignal<WireProgress | null>;
  problem: ReadonlySignal<Problem | null>;
  /** Whether a stream is under way. */
  streaming: ReadonlySignal<boolean>;
  /** The state on screen: the place's match, as far as it is known. */
  state: ReadonlySignal<number>;
  /** The nodes of the graph on screen that the last reload changed, and when it came. */
  flash: ReadonlySignal<Flash | null>;
  /** Passes are asked for only while something shows them. Returns what ends that; what was loaded stays. */
  want(): () => void;
  /** Asks for the pass again, after a problem. */
  retry(): void;
}

export interface Flash {
  nodes: ReadonlySet<number>;
  since_ms: number;
}

const kBrokeOff: Problem = { kind: "offline", message: "The stream of this pass broke off before its end." };
const kKeptPasses = 6;
/** While a held key runs through the list, none of the passes in between is wanted. */
const kRush_ms = 150;
const kWait_ms = 80;

export function createPassStream(api: Api, session: SessionState, spot: SpotState, chosen: ChosenState): PassStream {
  const screen = new PassScreen(spot);
  const stream = new StreamRequests(api, screen);
  const attempt = signal(0);
  const viewers = signal(0);

  // One line of text, so that equal wishes are one wish.
  const wanted = computed(() => {
    const contexts = session.contexts.value;
    const c = chosen.context.value;
    const s = chosen.pass.value;
    if (contexts === null || c === null || s === null) return null;
    return `${contexts.capture} ${contexts.revision} ${c} ${s} ${attempt.value}`;
  });
  const isShown = computed(() => viewers.value > 0);
  effect(() => {
    if (!isShown.value) return;
    const wish = wanted.value;
    return untracked(() => (wish === null ? screen.clear() : stream.ask(wish)));
  });

  const { loaded, progress, problem, streaming, state, flash } = screen;
  return {
    loaded,
    progress,
    problem,
    streaming,
    state,
    flash,
    want() {
      viewers.value++;
      return () => {
        viewers.value--;
      };
    },
    retry: () => attempt.value++,
  };
}

/** The pass on screen, and how it gives way to the next one. */
class PassScreen {
  readonly loaded = signal<LoadedPass | null>(null);
  readonly progress = signal<WireProgress | null>(null);
  readonly problem = signal<Problem | null>(null);
  readonly streaming = signal(false);
  readonly flash = signal<Flash | null>(null);
  readonly state = computed(() => {
    const known = this.loaded.value?.model.knownStates ?? 1;
    return Math.min(this.spot.match.value, known - 1);
  });

  constructor(private readonly spot: SpotState) {}

  clear(): undefined {
    batch(() => {
      this.loaded.value = null;
      this.problem.value = null;
      this.progress.value = null;
      this.streaming.value = false;
    });
  }

  /** A pass is asked for; known: it is there already. */
  begin(known: LoadedPass | undefined): void {
    batch(() => {
      this.problem.value = null;
      this.progress.value = null;
      this.streaming.value = known === undefined;
      if (known !== undefined) this.show(known);
    });
  }

  show(pass: LoadedPass): void {
    const old = this.loaded.value;
    if (old === null || old.key !== pass.key || old.revision === pass.revision) {
      this.loaded.value = pass;
    } else if (pass.done || pass.model.knownStates > this.spot.match.peek()) {
      batch(() => this.takeOver(old, pass));
    }
  }

  fail(key: string, error: Problem): null {
    if (error.kind === "aborted") return null;
    batch(() => {
      this.problem.value = error;
      if (this.loaded.value?.key !== key) this.loaded.value = null;
    });
    return null;
  }

  /** Another revision of the pass on screen: tells what it changed, and goes on with the node that was selected. */
  private takeOver(old: LoadedPass, pass: LoadedPass): void {
    const { spot } = this;
    const before = this.state.value;
    this.loaded.value = pass;
    const nodes = findNewLabels(old.model, before, pass.model, this.state.value);
    if (nodes.size > 0) this.flash.value = { nodes, since_ms: performance.now() };
    const node = spot.node.peek();
    if (node !== null) spot.select(findSameNode(old.model, before, node, pass.model, this.state.value));
  }
}

/** Asks for passes, and keeps the last ones. */
class StreamRequests {
  private readonly kept = new Kept<LoadedPass>(kKeptPasses);
  private askedAt_ms = 0;

  constructor(
    private readonly api: Api,
    private readonly screen: PassScreen,
  ) {}

  /** Returns what gives it up. */
  ask(wish: string): () => void {
    const known = this.kept.get(wish);
    this.screen.begin(known);
    if (known !== undefined) return () => {};
    const abort = new AbortController();
    const now_ms = performance.now();
    const wait_ms = now_ms - this.askedAt_ms < kRush_ms ? kWait_ms : 0;
    this.askedAt_ms = now_ms;
    const timer = setTimeout(() => void this.fetch(wish, abort.signal), wait_ms);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }

  private async fetch(wish: string, abort: AbortSignal): Promise<void> {
    const [id, revision, c, s] = wish.split(" ") as [string, string, string, string];
    const key = keyOfPass(id, c, s);
    try {
      const path = pathOfCapture(`/api/v1/rewrites/${c}/${s}`, id);
      const whole = await this.follow(key, path, Number(revision), abort);
      if (whole !== null) this.kept.put(wish, whole);
    } catch (error) {
      if (!abort.aborted) this.screen.fail(key, { ...kBrokeOff, where: String(error) });
    }
    if (!abort.aborted) this.screen.streaming.value = false;
  }

  /** Shows a stream's events as they come. Returns the pass once it is whole. */
  private async follow(key: string, path: string, revision: number, abort: AbortSignal): Promise<LoadedPass | null> {
    const { screen } = this;
    const body = await this.api.openStream(path, abort);
    if (!body.ok) return screen.fail(key, body.error);
    let pass: LoadedPass | null = null;
    for await (const event of readEvents(body.value)) {
      if (abort.aborted) return null;
      if (event.name === "progress") screen.progress.value = JSON.parse(event.data) as WireProgress;
      if (event.name === "error") return screen.fail(key, JSON.parse(event.data) as Problem);
      pass = takePassEvent(pass, event, key, revision);
      if (pass !== null) screen.show(pass);
    }
    return pass?.done === true || abort.aborted ? pass : screen.fail(key, kBrokeOff);
  }
}
