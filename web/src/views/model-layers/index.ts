// Layers: which layer of the model takes the time, by the server's phase and the kind of module.
import { computed, signal } from "@preact/signals";
import { heatOf, type WireLayers } from "../../lib/replays";
import { followProfile } from "../../state/asked";
import type { View } from "../view";
import { mayHaveLayers, openModelLayers } from "./model-layers";

export const modelLayers: View = {
  id: "model-layers",
  title: "Layers",
  words: "heat table attention mlp norm routing prefill decode phase model",
  suits: mayHaveLayers,
  isOffered(app) {
    const layers = followProfile<WireLayers>(app, signal(true), () => "/api/v1/model-layers");
    return computed(() => layers.value.value?.data.ranks.some(({ rows }) => heatOf(rows).rows.length > 0) === true);
  },
  commands: [],
  pointer: "A click on a row opens its nodes.",
  asCommand: () => ({ words: ["kernels", "--group", "layer"] }),
  urlKeys: { layersof: "kept", layersbeside: "kept" },
  open: openModelLayers,
};
