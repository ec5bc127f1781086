// The selected node's label as text over its drawn box: seen by selection, copy and screen readers, and otherwise
// transparent, since the canvas has drawn it already.
import { stripAnsi } from "../../lib/ansi";
import { toView } from "../../lib/camera";
import { kColumn_px, kLine_px, kPadX_px, kPadY_px, layOutLabel } from "../../lib/graph/label";
import { formatPlural } from "../../lib/text";
import { useRewrites } from "./context";

const kReadable = 0.55;

export function NodeOverlay() {
  const { graph, camera } = useRewrites();
  const lit = graph.lit.value;
  const shown = graph.shown.value;
  const view = camera.camera.value;
  if (lit === null || shown === null || view === null || !shown.layout.has(lit.node)) {
    return <p class="sr-only" id="graph-summary" aria-live="polite" />;
  }
  const { layout, loaded, state } = shown;
  const label = loaded.model.labelAt(lit.node, state);
  const box = layout.box(lit.node);
  const at = toView(view, camera.size.value, box);
  const lines = layOutLabel(label);
  const summary = `${stripAnsi(label)}; ${formatPlural(lit.sources.size, "source")}, ${formatPlural(lit.users.size, "user")}`;
  return (
    <>
      <p class="sr-only" id="graph-summary" aria-live="polite">
        {summary}
      </p>
      {view.zoom >= kReadable && (
        <div
          class="node-overlay"
          style={{
            left: `${at.x + kPadX_px * view.zoom}px`,
            top: `${at.y + kPadY_px * view.zoom}px`,
            lineHeight: `${kLine_px * view.zoom}px`,
            // 0.602 em is the advance of the monospace fonts of styles/tokens.css.
            fontSize: `${(kColumn_px / 0.602) * view.zoom}px`,
          }}
        >
          {lines.map((runs, i) => (
            <div key={i}>{runs.map((run) => run.text).join("")}</div>
          ))}
        </div>
      )}
    </>
  );
}
