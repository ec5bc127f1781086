// What the instructions of the program on screen cost when it ran on a GPU that recorded it: asked for, and joined with
// its machine code.
import { computed, type ReadonlySignal } from "@preact/signals";
import type { Api } from "../../lib/api";
import type { Keys } from "../../lib/place";
import { dataOf, followWish, type Fetched } from "../../state/fetched";
import type { WireCode } from "./code";
import type { Costs } from "./costs";
import { joinHeat, parseHeatChoice, queryOfHeat, type HeatChoice, type JoinedHeat, type WireHeat } from "./heat";
import { joinSamples, type JoinedSamples } from "./samples";

export interface CostState {
  /** Where the cycles of its waves went; asked for where a GPU may have told. */
  heat: ReadonlySignal<Fetched<WireHeat>>;
  heatChoice: ReadonlySignal<HeatChoice>;
  /** The same, joined with the code; null where no instruction is told of. */
  hot: ReadonlySignal<JoinedHeat | null>;
  /** What it is compared with: other waves or another run; null: nothing. */
  otherChoice: ReadonlySignal<HeatChoice | null>;
  otherHot: ReadonlySignal<JoinedHeat | null>;
  /** Samples of its program counters, joined with the code; null where there are none that can be. */
  sampled: ReadonlySignal<JoinedSamples | null>;
  /** What its instructions cost, by the first of these that tells. */
  costs: ReadonlySignal<Costs | null>;
}

/** The machines whose recorders tell of instructions. */
const kGpus = ["AMDGPU", "NVIDIA SASS"];

interface CostSources {
  keys: ReadonlySignal<Keys>;
  shown: ReadonlySignal<WireCode | null>;
  /** Where its costs are asked for, without a choice of waves; null: nobody wants them. */
  path: ReadonlySignal<string | null>;
}

export function createCosts(api: Api, { keys, shown, path }: CostSources): CostState {
  const isOfGpu = computed(() => kGpus.includes(shown.value?.architecture ?? ""));
  const followHeat = (choice: ReadonlySignal<HeatChoice | null>) =>
    followWish(
      computed(() => {
        if (!isOfGpu.value || path.value === null || choice.value === null) return null;
        return `${path.value}${queryOfHeat(choice.value)}`;
      }),
      (path, abort) => api.getJson<WireHeat>(path, abort),
    );
  const joinedOf = (fetched: ReadonlySignal<Fetched<WireHeat>>) =>
    computed(() => {
      const heat = dataOf(fetched.value);
      return shown.value === null || heat === undefined || heat.why !== null ? null : joinHeat(shown.value, heat);
    });
  const heatChoice = computed(() => parseHeatChoice(keys.value.heat) ?? { run: null, wave: null });
  const otherChoice = computed(() => parseHeatChoice(keys.value.heatvs));
  const heat = followHeat(heatChoice);
  const hot = joinedOf(heat);
  const sampled = computed(() => {
    const samples = dataOf(heat.value)?.samples ?? null;
    return shown.value === null || samples === null ? null : joinSamples(shown.value, samples);
  });
  return {
    heat,
    heatChoice,
    hot,
    sampled,
    costs: computed(() => hot.value?.costs ?? sampled.value?.costs ?? null),
    otherChoice,
    otherHot: joinedOf(followHeat(otherChoice)),
  };
}
