// Where in the model a row's work stands and what it is for: the columns of nodes of a graph and of places of steps.
import type { ComponentChildren } from "preact";
import { kLayerKindFields } from "../../lib/device-fields";
import { kKindTitles, sayLayer, type ModuleKind } from "../../lib/replays";
import type { Column } from "./table";

interface OfLayer {
  layer?: string | null;
  layer_index: number | null;
  piece: number | null;
}

/** said: what is shown of a row for the text, "" where it is of no layer. */
export const layerColumn = <Row extends OfLayer>(said: (row: Row, text: string) => ComponentChildren): Column<Row> => ({
  id: "layer",
  title: "Layer",
  hint: "The layer of the model, or the compiled piece of it",
  align: "left",
  show: (row) => said(row, sayLayer(row)),
  value: (row) => row.layer_index ?? row.piece ?? row.layer ?? null,
});

export const kindColumn = <Row extends { kind: ModuleKind }>(): Column<Row> => ({
  id: "kind",
  title: "Module",
  hint: kLayerKindFields.kind.hint,
  align: "left",
  show: ({ kind }) => <span class={`module-kind kind-${kind}`}>{kKindTitles[kind]}</span>,
  value: ({ kind }) => kind,
});
