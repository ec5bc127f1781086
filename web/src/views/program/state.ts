// The program on screen: its source, machine code and analysis, and what of it is looked at. All of that stands in the
// place's rest, so that a link leads there. Fetched while a view wants it.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { stripAnsi } from "../../lib/ansi";
import { pathOfCapture, type Api } from "../../lib/api";
import { changeRest } from "../../lib/place";
import {
  blockOfInstructions,
  findInstructions,
  innermostLoop,
  partOfLoop,
  type CodePart,
  type WireAnalysis,
  type WireCode,
  type WireRuns,
} from "./code";
import type { WireProgram } from "../../lib/wire";
import { dataOf, followWish, type Fetched } from "../../state/fetched";
import { createOtherProgram, type OtherProgramState } from "./other-program";
import type { PlaceState } from "../../state/place";
import type { RewritesState } from "../../state/rewrites";
import type { SessionState } from "../../state/session";

export type ProgramWithRuns = WireProgram & { binary_bytes: number; runs: WireRuns | null };
export type ProgramPanel = "code" | "flow" | "compare";

export interface ProgramState {
  /** The context whose program is shown: the place's, or the first that made one; null where none did. */
  context: ReadonlySignal<number | null>;
  program: ReadonlySignal<Fetched<ProgramWithRuns>>;
  code: ReadonlySignal<Fetched<WireCode>>;
  analysis: ReadonlySignal<Fetched<WireAnalysis>>;
  blocks: ReadonlySignal<Uint32Array>;
  panel: ReadonlySignal<ProgramPanel>;
  /** The loop that is analysed, -1: the whole. */
  loop: ReadonlySignal<number>;
  part: ReadonlySignal<CodePart | null>;
  cpu: ReadonlySignal<string>;
  instruction: ReadonlySignal<number | null>;
  line: ReadonlySignal<number | null>;
  register: ReadonlySignal<string | null>;
  /** Over the graph of blocks, as the place has it. */
  camera: ReadonlySignal<string | null>;
  find: ReadonlySignal<string>;
  hits: ReadonlySignal<readonly number[]>;
  other: OtherProgramState;
  want(): () => void;
  goTo(context: number): void;
  look(change: Partial<Record<ProgramField, string | null>>): void;
}

type ProgramField = "at" | "panel" | "loop" | "cpu" | "ins" | "line" | "reg" | "code" | "with";

const kOfOneProgram = { at: null, loop: null, ins: null, line: null, reg: null };

export function createProgram(
  api: Api,
  session: SessionState,
  place: PlaceState,
  rewrites: RewritesState,
): ProgramState {
  const wanted = signal(0);
  const rest = place.part.rest;
  const number = (text: string | undefined) => (/^\d{1,7}$/.test(text ?? "") ? Number(text) : null);

  const context = computed(() => {
    const contexts = session.contexts.value?.contexts ?? [];
    const chosen = rewrites.context.value;
    if (chosen !== null && contexts[chosen]?.program) return chosen;
    const first = contexts.findIndex((c) => c.program);
    return first < 0 ? null : first;
  });
  const wishFor = (suffix: string) =>
    computed(() => {
      const contexts = session.contexts.value;
      if (wanted.value === 0 || contexts === null || context.value === null) return null;
      return `${contexts.revision} ${pathOfCapture(`/api/v1/program/${context.value}${suffix}`, contexts.capture)}`;
    });
  const program = followWish(wishFor(""), (path, abort) => api.getJson<ProgramWithRuns>(path, abort));
  const code = followWish(wishFor("/code"), (path, abort) => api.getJson<WireCode>(path, abort));
  const shown = computed(() => dataOf(code.value) ?? null);

  const panel = computed<ProgramPanel>(() =>
    rest.value.panel === "flow" || rest.value.panel === "compare" ? rest.value.panel : "code",
  );
  const find = computed(() => rest.value.code ?? "");
  const cpu = computed(() => rest.value.cpu ?? "native");
  const loop = computed(() => {
    if (shown.value === null || rest.value.loop === "all") return -1;
    const asked = number(rest.value.loop);
    return asked !== null && asked < shown.value.loops.head.length ? asked : innermostLoop(shown.value);
  });
  const part = computed(() => {
    const count = shown.value?.instructions.address.length ?? 0;
    if (shown.value === null || count === 0) return null;
    return loop.value < 0 ? { first: 0, count } : partOfLoop(shown.value, loop.value);
  });
  const analysisWish = computed(() => {
    const path = wishFor("/analysis");
    if (part.value === null || shown.value === null || shown.value.cpus.length === 0) return null;
    if (shown.value.missing.some((tool) => tool.program === "llvm-mca")) return null;
    const { first, count } = part.value;
    return path.value === null ? null : `${path.value}&cpu=${cpu.value}&first=${first}&count=${count}`;
  });
  return {
    context,
    program,
    code,
    analysis: followWish(analysisWish, (path, abort) => api.getJson<WireAnalysis>(path, abort)),
    blocks: computed(() => (shown.value === null ? new Uint32Array() : blockOfInstructions(shown.value))),
    panel,
    loop,
    part,
    cpu,
    instruction: computed(() => number(rest.value.ins)),
    line: computed(() => number(rest.value.line)),
    register: computed(() => rest.value.reg ?? null),
    camera: computed(() => rest.value.at ?? null),
    find,
    hits: computed(() => (shown.value === null ? [] : findInstructions(shown.value, find.value))),
    other: createOtherProgram(
      api,
      session,
      computed(() => rest.value.with),
      context,
      computed(() => wanted.value > 0 && panel.value === "compare"),
    ),
    want() {
      wanted.value = wanted.peek() + 1;
      return () => (wanted.value = wanted.peek() - 1);
    },
    goTo(c) {
      const name = stripAnsi(session.contexts.value?.contexts[c]?.name ?? "");
      place.go({
        view: "program",
        context: { index: c, name },
        pass: null,
        match: 0,
        node: null,
        camera: null,
        rest: changeRest(place.current.peek().rest, kOfOneProgram),
      });
    },
    look: (change) => place.adjustRest(change),
  };
}
