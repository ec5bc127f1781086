// The choice between the table of kernels and other views of the devices' work.
import { kShapes, type KernelState, type Shape } from "./state";

const kTitles: Record<Shape, string> = {
  table: "Table",
  tree: "Call tree",
  collectives: "Collectives",
  sequences: "Sequences",
};

const kHints: Record<Shape, string> = {
  table: "What ran, added up",
  tree: "Modules, operators and calls that launched it, with the time below each",
  collectives: "What ranks exchanged, how fast, and who was waited for",
  sequences: "Kernels that follow one another often: candidates for fusion",
};

export function ShapeTabs({ kernels }: { kernels: KernelState }) {
  return (
    <span class="shape-tabs" role="group" aria-label="Show">
      {kShapes.map((shape) => (
        <button
          key={shape}
          class={kernels.shape.value === shape ? "pill on" : "pill"}
          aria-pressed={kernels.shape.value === shape}
          title={kHints[shape]}
          onClick={() => kernels.setShape(shape)}
        >
          {kTitles[shape]}
        </button>
      ))}
    </span>
  );
}
