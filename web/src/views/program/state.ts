// The program on screen: its source, machine code and analysis, and what of it is looked at. All of that stands in the
// place's rest, so that a link leads there. Fetched while a view wants it.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import { linkToProgram, linkToProgramAlone, type ProgramText } from "../../lib/links";
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
import { parseOrder, type ProgramOrder, type WirePrograms } from "./program-rows";
import { shownAlone, shownContext } from "./program-choice";
import { createCosts, type CostState } from "./cost-state";
import { createOtherProgram, type OtherProgramState } from "./other-program";
import type { App } from "../../state/app";

export type ProgramPanel = "code" | "flow" | "compare" | "ops";
const kPanels: readonly ProgramPanel[] = ["flow", "compare", "ops"];

/** /api/v1/program/CONTEXT/ops. */
export interface ProgramOpsText {
  text: string;
  is_error: boolean;
}

export interface ProgramState extends CostState {
  /** The context whose program is shown: the place's, or the first that made one; null where none did. */
  context: ReadonlySignal<number | null>;
  /** The program that is shown instead, which no context made: by its number. */
  alone: ReadonlySignal<number | null>;
  /** The text, of its two, that a link leads to; null: none in particular. */
  text: ReadonlySignal<ProgramText | null>;
  /** Figures of all programs. */
  programs: ReadonlySignal<Fetched<WirePrograms>>;
  /** In which order they are listed; null: as they were made. */
  order: ReadonlySignal<ProgramOrder | null>;
  program: ReadonlySignal<Fetched<ProgramWithExecutions>>;
  code: ReadonlySignal<Fetched<WireCode>>;
  analysis: ReadonlySignal<Fetched<WireAnalysis>>;
  blocks: ReadonlySignal<Uint32Array>;
  panel: ReadonlySignal<ProgramPanel>;
  /** Asked for while that panel is shown. */
  ops: ReadonlySignal<Fetched<ProgramOpsText>>;
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
  /** Goes to one that no context made. */
  goToAlone(program: number): void;
  look(change: Partial<Record<ProgramField, string | null>>): void;
}

type ProgramField =
  "programs" | "at" | "panel" | "loop" | "cpu" | "ins" | "line" | "reg" | "code" | "with" | "heat" | "heatvs";

export function createProgram(app: App): ProgramState {
  const { api, session, place, chosen } = app;
  const wanted = signal(0);
  const { keys } = place;
  const alone = computed(() => shownAlone({ session, place }));
  const context = computed(() => (alone.value === null ? shownContext({ session, chosen }) : null));
  const wishFor = (suffix: string) =>
    computed(() => {
      const contexts = session.contexts.value;
      const subject = alone.value === null ? context.value : `p${alone.value}`;
      if (wanted.value === 0 || contexts === null || subject === null) return null;
      return `${contexts.revision} ${pathOfCapture(`/api/v1/program/${subject}${suffix}`, contexts.capture)}`;
    });
  const program = followWish(wishFor(""), (path, abort) => api.getJson<ProgramWithExecutions>(path, abort));
  const programs = followWish(
    computed(() => {
      const contexts = session.contexts.value;
      if (wanted.value === 0 || contexts === null || !session.capture.value?.has_profile) return null;
      return `${contexts.revision} ${pathOfCapture("/api/v1/programs", contexts.capture)}`;
    }),
    (path, abort) => api.getJson<WirePrograms>(path, abort),
  );
  const panel = computed(() => kPanels.find((each) => each === keys.value.panel) ?? "code");
  const opsPath = wishFor("/ops");
  const opsWish = computed(() =>
    panel.value === "ops" && dataOf(program.value)?.has_ops === true ? opsPath.value : null,
  );
  return {
    context,
    alone,
    text: computed(() => {
      const { text } = keys.value;
      return text === "source" || text === "machine" ? text : null;
    }),
    programs,
    order: computed(() => parseOrder(keys.value.programs)),
    program,
    ...createMachineCode(app, wishFor),
    panel,
    ops: followWish(opsWish, (path, abort) => api.getJson<ProgramOpsText>(path, abort)),
    line: computed(() => numberOf(keys.value.line)),
    register: computed(() => keys.value.reg ?? null),
    camera: computed(() => keys.value.at),
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
    goToAlone(program) {
      const name = session.contexts.value?.programs.find((each) => each.program === program)?.name ?? "";
      place.follow(linkToProgramAlone({ index: program, name }));
    },
    look: (change) => place.adjust(change),
  };
}

const numberOf = (text: string | undefined) => (/^\d{1,7}$/.test(text ?? "") ? Number(text) : null);

/** The machine code of the program on screen, the part of it that is looked at, and that part's analysis. */
function createMachineCode(
  { api, place: { keys } }: App,
  wishFor: (suffix: string) => ReadonlySignal<string | null>,
): Pick<
  ProgramState,
  "code" | "instruction" | "blocks" | "loop" | "part" | "cpu" | "analysis" | "find" | "hits" | keyof CostState
> {
  const code = followWish(wishFor("/code"), (path, abort) => api.getJson<WireCode>(path, abort));
  const shown = computed(() => dataOf(code.value) ?? null);
  const find = computed(() => keys.value.code ?? "");
  const cpu = computed(() => keys.value.cpu ?? "native");
  const loop = computed(() => {
    if (shown.value === null || keys.value.loop === "all") return -1;
    const asked = numberOf(keys.value.loop);
    return asked !== null && asked < shown.value.loops.head.length ? asked : innermostLoop(shown.value);
  });
  const part = computed(() => {
    const count = shown.value?.instructions.address.length ?? 0;
    if (shown.value === null || count === 0) return null;
    return loop.value < 0 ? { first: 0, count } : partOfLoop(shown.value, loop.value);
  });
  const analysisPath = wishFor("/analysis");
  const analysisWish = computed(() => {
    if (part.value === null || shown.value === null || shown.value.cpus.length === 0) return null;
    if (shown.value.missing.some((tool) => tool.program === "llvm-mca")) return null;
    const { first, count } = part.value;
    return analysisPath.value === null ? null : `${analysisPath.value}&cpu=${cpu.value}&first=${first}&count=${count}`;
  });
  return {
    code,
    // By its place, or by its address: those who lead here from a trace know that alone.
    instruction: computed(() => {
      const { ins } = keys.value;
      if (!/^0x[0-9a-f]{1,13}$/.test(ins ?? "")) return numberOf(ins);
      const at = shown.value?.instructions.address.indexOf(Number(ins)) ?? -1;
      return at < 0 ? null : at;
    }),
    ...createCosts(api, { keys, shown, path: wishFor("/heat") }),
    blocks: computed(() => (shown.value === null ? new Uint32Array() : blockOfInstructions(shown.value))),
    loop,
    part,
    cpu,
    analysis: followWish(analysisWish, (path, abort) => api.getJson<WireAnalysis>(path, abort)),
    find,
    hits: computed(() => (shown.value === null ? [] : findInstructions(shown.value, find.value))),
  };
}
