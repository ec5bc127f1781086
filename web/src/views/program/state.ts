// The program on screen: its source, machine code and analysis, and what of it is looked at. All of that stands in the
// place's rest, so that a link leads there. Fetched while a view wants it.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import { linkToProgram } from "../../lib/links";
import {
  blockOfInstructions,
  findInstructions,
  innermostLoop,
  partOfLoop,
  type CodePart,
  type WireAnalysis,
  type ProgramWithExecutions,
  type WireCode,
} from "./code";
import { dataOf, followWish, type Fetched } from "../../state/fetched";
import { createOtherProgram, type OtherProgramState } from "./other-program";
import type { App } from "../../state/app";

export type ProgramPanel = "code" | "flow" | "compare";

export interface ProgramState {
  /** The context whose program is shown: the place's, or the first that made one; null where none did. */
  context: ReadonlySignal<number | null>;
  program: ReadonlySignal<Fetched<ProgramWithExecutions>>;
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
  camera: ReadonlySignal<string | undefined>;
  find: ReadonlySignal<string>;
  hits: ReadonlySignal<readonly number[]>;
  other: OtherProgramState;
  want(): () => void;
  goTo(context: number): void;
  look(change: Partial<Record<ProgramField, string | null>>): void;
}

type ProgramField = "at" | "panel" | "loop" | "cpu" | "ins" | "line" | "reg" | "code" | "with";

export function createProgram({ api, session, place, chosen }: App): ProgramState {
  const wanted = signal(0);
  const { keys } = place;
  const number = (text: string | undefined) => (/^\d{1,7}$/.test(text ?? "") ? Number(text) : null);

  const context = computed(() => {
    const contexts = session.contexts.value?.contexts ?? [];
    const wished = chosen.context.value;
    if (wished !== null && contexts[wished]?.program) return wished;
    const first = contexts.findIndex((c) => c.program);
    return first < 0 ? null : first;
  });
  const wishFor = (suffix: string) =>
    computed(() => {
      const contexts = session.contexts.value;
      if (wanted.value === 0 || contexts === null || context.value === null) return null;
      return `${contexts.revision} ${pathOfCapture(`/api/v1/program/${context.value}${suffix}`, contexts.capture)}`;
    });
  const program = followWish(wishFor(""), (path, abort) => api.getJson<ProgramWithExecutions>(path, abort));
  const code = followWish(wishFor("/code"), (path, abort) => api.getJson<WireCode>(path, abort));
  const shown = computed(() => dataOf(code.value) ?? null);

  const panel = computed<ProgramPanel>(() =>
    keys.value.panel === "flow" || keys.value.panel === "compare" ? keys.value.panel : "code",
  );
  const find = computed(() => keys.value.code ?? "");
  const cpu = computed(() => keys.value.cpu ?? "native");
  const loop = computed(() => {
    if (shown.value === null || keys.value.loop === "all") return -1;
    const asked = number(keys.value.loop);
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
    instruction: computed(() => number(keys.value.ins)),
    line: computed(() => number(keys.value.line)),
    register: computed(() => keys.value.reg ?? null),
    camera: computed(() => keys.value.at),
    find,
    hits: computed(() => (shown.value === null ? [] : findInstructions(shown.value, find.value))),
    other: createOtherProgram(
      api,
      session,
      computed(() => keys.value.with),
      context,
      computed(() => wanted.value > 0 && panel.value === "compare"),
    ),
    want() {
      wanted.value = wanted.peek() + 1;
      return () => (wanted.value = wanted.peek() - 1);
    },
    goTo: (c) => place.follow(linkToProgram(chosen.nameContext(c))),
    look: (change) => place.adjust(change),
  };
}
