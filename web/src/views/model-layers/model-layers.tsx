// A heat table: the layers of the model, or the compiled pieces of it, by phase and kind of module, in time per step;
// those of another capture of the same model beside them, as its other phase may be recorded by itself.
import { computed, type ReadonlySignal } from "@preact/signals";
import {
  heatOf,
  layersBeside,
  kKindTitles,
  linkToGraphNodes,
  sayLayer,
  type HeatColumn,
  type HeatRow,
  type WireLayers,
} from "../../lib/replays";
import { formatDuration, formatPlural } from "../../lib/text";
import type { CaptureInfo } from "../../lib/wire";
import { pathOfCapture } from "../../lib/api";
import { followScoped } from "../../state/asked";
import { followWish, type Fetched } from "../../state/fetched";
import { useApp } from "../parts/app-context";
import { kNothing } from "../parts/list-view/field-column";
import { WhenFetched } from "../parts/list-view/list-view";
import { OnlyRank } from "../parts/only-rank";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { useScopedName } from "../parts/use-scoped-name";
import type { OpenView } from "../view";
import "./model-layers.css";

interface LayersState {
  fetched: ReadonlySignal<Fetched<WireLayers>>;
  /** The capture whose phases stand beside those of the one on screen; null: none. */
  beside: ReadonlySignal<CaptureInfo | null>;
  /** The captures that can be chosen. */
  others: ReadonlySignal<readonly CaptureInfo[]>;
  fetchedBeside: ReadonlySignal<Fetched<WireLayers>>;
  putBeside: (name: string | null) => void;
  /** Whether only steps of the steady window count. */
  isSteady: ReadonlySignal<boolean>;
  turn: () => void;
}

export const mayHaveLayers = (capture: CaptureInfo) => capture.format === "chrome" && capture.has_profile;

export const openModelLayers: OpenView = (app, isShown) => {
  const { api, place, session } = app;
  const key = place.key("layersof");
  const isSteady = computed(() => key.value === "steady");
  const path = computed(() => `/api/v1/model-layers${isSteady.value ? "?steady=1" : ""}`);
  const fetched = followScoped<WireLayers>(app, isShown, () => path.value);
  const others = computed(() =>
    (session.info.value?.captures ?? []).filter(
      (capture) => mayHaveLayers(capture) && capture.id !== session.capture.value?.id,
    ),
  );
  const name = place.key("layersbeside");
  const beside = computed(() => others.value.find((capture) => capture.name === name.value) ?? null);
  const fetchedBeside = followWish<WireLayers>(
    computed(() =>
      isShown.value && beside.value !== null
        ? `${beside.value.revision} ${pathOfCapture(path.value, beside.value.id)}`
        : null,
    ),
    (wanted, abort) => api.getJson<WireLayers>(wanted, abort),
    0,
  );
  const putBeside = (chosen: string | null) => place.adjust({ layersbeside: chosen });
  const turn = () => place.adjust({ layersof: isSteady.peek() ? null : "steady" });
  return () => <ModelLayers state={{ fetched, beside, others, fetchedBeside, putBeside, isSteady, turn }} />;
};

function ModelLayers({ state }: { state: LayersState }) {
  const { fetched, beside, fetchedBeside, isSteady, turn } = state;
  const { place } = useApp();
  const name = useScopedName("layers");
  const rank = fetched.value.value?.data.ranks[0];
  const rows = rank?.rows ?? [];
  const added = beside.value === null ? [] : (fetchedBeside.value.value?.data.ranks[0]?.rows ?? []);
  const table = heatOf(layersBeside(rows, added, beside.value?.name ?? ""));
  const columns = heatColumns(table.columns);
  return (
    <div class="work whole model-layers">
      <header class="work-head">
        <button
          class={isSteady.value ? "pill on" : "pill"}
          aria-pressed={isSteady.value}
          title="Only of steps in the window in which the server was fully used"
          onClick={turn}
        >
          Steady window
        </button>
        <Beside state={state} />
        <span class="dim">
          {formatPlural(table.rows.length, "row")} · time per step; the stronger the colour, the more of its column
        </span>
        <OnlyRank ranks={fetched.value.value?.data.ranks ?? []} />
        <TableExport columns={textColumns(columns)} rows={table.rows} name={name} />
      </header>
      <WhenFetched fetched={fetched.value} waiting="Adding up layers" broken="The layers cannot be shown">
        {() =>
          table.rows.length === 0 ? (
            <p class="dim note">
              Nothing in this part of the capture tells a layer: captures with stacks, annotations of modules or
              compiled pieces do.
            </p>
          ) : (
            <div class="scroll" data-scrolls tabIndex={0}>
              <Table
                columns={columns}
                rows={table.rows}
                keyOf={(_, at) => at}
                label="Layers by phase and module"
                onRow={(row) => place.follow(linkToGraphNodes(wordsOfLayer(row)))}
              />
            </div>
          )
        }
      </WhenFetched>
    </div>
  );
}

function Beside({ state: { beside, others, putBeside } }: { state: LayersState }) {
  const { session } = useApp();
  if (others.value.length === 0) return null;
  return (
    <select
      class="choice"
      aria-label="Another capture of the model"
      title="Puts the phases of another capture beside those of this one"
      value={beside.value?.name ?? ""}
      onChange={({ currentTarget: { value } }) => putBeside(value === "" ? null : value)}
    >
      <option value="">beside: none</option>
      {others.value.map(({ id, name }) => (
        <option key={id} value={name}>
          beside: {session.labels.value.get(id) ?? name}
        </option>
      ))}
    </select>
  );
}

function wordsOfLayer({ layer_index, piece, layer }: HeatRow): string {
  if (layer_index !== null) return `layer:${layer_index}`;
  if (piece !== null) return `piece:${piece}`;
  return layer ?? "";
}

const heatColumns = (columns: readonly HeatColumn[]): readonly Column<HeatRow>[] => [
  {
    id: "layer",
    title: "Layer",
    align: "left",
    show: (row) => <span title={row.layer ?? undefined}>{sayLayer(row)}</span>,
    value: (row) => sayLayer(row),
  },
  ...columns.map(({ phase, kind }, at): Column<HeatRow> => ({
    id: `${phase ?? "no step"} ${kind ?? "all"}`,
    title: kind === null ? (phase ?? "no step") : kKindTitles[kind],
    hint: kind === null ? "All work of that phase" : `${kKindTitles[kind]}, ${phase ?? "work of no step"}`,
    show: ({ cells }) => <Heat cell={cells[at] ?? null} isSum={kind === null} />,
    value: ({ cells }) => cells[at]?.per_step_ns ?? null,
  })),
];

function Heat({ cell, isSum }: { cell: HeatRow["cells"][number]; isSum: boolean }) {
  if (cell === null) return kNothing;
  const kind = `layer-heat ${isSum ? "sum" : ""} ${cell.isOutlier ? "outlier" : ""}`;
  return (
    <span
      class={kind}
      style={{ "--heat": cell.heat }}
      title={`${Math.round(cell.per_step_ns)} ns a step${cell.isOutlier ? ", over 1.5 times the middle layer" : ""}`}
    >
      {formatDuration(cell.per_step_ns)}
    </span>
  );
}
