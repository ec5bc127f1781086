// The choice of the numbers that colour the graph, where the capture has some on ops; and the legend of the colours.
import { colourOfMeasure, formatMeasure, type NodeMeasure } from "../../lib/graph/measures";
import { usePalette } from "../parts/use-palette";
import { useRewrites } from "./context";

export function MeasureChoice() {
  const { measures } = useRewrites();
  if (measures.names.value.length === 0) return null;
  return (
    <select
      class="pill"
      aria-label="Colour the graph by"
      title="What the graph is coloured by"
      value={measures.chosen.value ?? ""}
      onChange={({ currentTarget: { value } }) => measures.choose(value === "" ? null : value)}
    >
      <option value="">Colour: op</option>
      {measures.names.value.map((name) => (
        <option key={name} value={name}>
          Colour: {name}
        </option>
      ))}
    </select>
  );
}

const kSteps = 9;

/** In the graph's corner: least and most of the measure, with their colours; or what each colour is. */
export function MeasureLegend() {
  const measure = useRewrites().measures.shown.value;
  if (measure === null || measure.values.size === 0) return null;
  if (measure.kinds !== undefined) return <KindLegend measure={measure} kinds={measure.kinds} />;
  const from = Math.min(measure.least, 0);
  return (
    <p class="measure-legend">
      {measure.name} {formatMeasure(measure, from)}
      <span class="measure-ramp" style={{ background: rampOf(measure) }} aria-hidden="true" />
      {formatMeasure(measure, measure.most)}
    </p>
  );
}

/** The kinds that occur. */
function KindLegend({ measure, kinds }: { measure: NodeMeasure; kinds: NonNullable<NodeMeasure["kinds"]> }) {
  const palette = usePalette()();
  const there = new Set(measure.values.values());
  return (
    <p class="measure-legend">
      {measure.name}
      {kinds.map(
        ({ name, colour }, i) =>
          there.has(i) && (
            <span key={name}>
              <span class="swatch" style={{ background: palette.tune(colour) }} aria-hidden="true" /> {name}
            </span>
          ),
      )}
    </p>
  );
}

function rampOf(measure: NodeMeasure): string {
  const { least, most } = measure;
  const from = Math.min(least, 0);
  const stops = Array.from({ length: kSteps }, (_, i) => {
    const value = from + ((most - from) * i) / (kSteps - 1);
    return colourOfMeasure({ ...measure, values: new Map([[0, value]]) }, 0);
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}
