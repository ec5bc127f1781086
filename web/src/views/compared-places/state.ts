// Which two servers' runs are compared, in which phase, and the places of their steps: all as the URL says.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import { sayLayer, termsOf, wordsOfWork } from "../../lib/replays";
import type { App } from "../../state/app";
import { createComparedPair, type ComparedPair } from "../../state/compared-pair";
import { followWish, type Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { placeColumns } from "./columns";
import type { WireComparedPlaces, WirePlace } from "./wire";

export interface PlacesState extends ComparedPair {
  fetched: ReadonlySignal<Fetched<WireComparedPlaces>>;
  /** Null: all phases. */
  phase: ReadonlySignal<string | null>;
  list: List<WirePlace>;
}

export function createPlaces(app: App): PlacesState {
  const { api, place } = app;
  const compared = createComparedPair(app, ({ has_profile }) => has_profile, {
    before: "places.before",
    after: "places.after",
  });
  const { pair } = compared;
  const phaseKey = place.key("places.phase");
  const textKey = place.key("places.filter");
  const phase = computed(() => phaseKey.value ?? null);
  const fetched = followWish(
    computed(() => {
      if (pair.value === null) return null;
      const { before: a, after: b } = pair.value;
      const path = `/api/v1/compare/places?with=${encodeURIComponent(a.id)}`;
      return `${a.revision}.${b.revision} ${pathOfCapture(path, b.id)}`;
    }),
    (path, abort) => api.getJson<WireComparedPlaces>(path, abort),
    0,
  );
  const ofPhase = computed(() => {
    const rows = fetched.value.value?.data.rows ?? [];
    return phase.value === null ? rows : rows.filter((row) => row.phase === phase.value);
  });
  const list = createList<WirePlace>(place, {
    rows: () => {
      const terms = termsOf(textKey.value ?? "");
      if (terms.length === 0) return ofPhase.value;
      return ofPhase.value.filter((row) => {
        const words = wordsOfPlace(row);
        return terms.every((term) => words.includes(term));
      });
    },
    columns: () => placeColumns(ofPhase.value),
    keyOf: (row) => [row.phase, row.layer_index, row.piece, row.operator, row.n].join(" "),
    textOf: (row) => [row.a_name, row.b_name, sayLayer(row), ...wordsOfPlace(row)].join(" "),
    keys: { text: "places.filter", order: "places.order", chosen: "places.row" },
  });
  return { ...compared, fetched, phase, list };
}

const wordsOfPlace = (row: WirePlace) => [`phase:${row.phase ?? "none"}`, `state:${row.state}`, ...wordsOfWork(row)];
