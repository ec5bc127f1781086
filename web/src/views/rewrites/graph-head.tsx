// Around the graph: where we are and how large it is, what the drawing leaves out, and what the stream is doing.
import { useComputed } from "@preact/signals";
import { formatCount, formatPlural } from "../../lib/text";
import { AnsiText } from "../parts/ansi-text";
import { useApp, useCommand } from "../parts/app-context";
import { useRewrites } from "./context";
import { useCopy } from "../parts/copy-button";
import { KeyCap } from "../parts/key-cap";
import { ExecutionsPill } from "./executions-pill";
import { ViewMenu } from "./view-menu";

/** Over the graph: where we are, and how large the graph is. */
export function GraphHead() {
  const { session, chosen } = useApp();
  const { graph, camera, diff, arrangement } = useRewrites();
  const { loaded, state, changes, layout } = graph.shown.value!;
  const { model } = loaded;
  const { said, copy } = useCopy(() => String(model.boxes[state]));
  const contexts = session.contexts.value;
  const context = contexts?.contexts[chosen.context.value ?? -1];
  const passName = contexts?.pass_names[context?.passes.name[chosen.pass.value ?? -1] ?? -1] ?? "";
  return (
    <header class="graph-head">
      <div class="graph-place">
        <p class="crumbs">
          <span class="crumb">
            <AnsiText text={context?.name ?? ""} />
          </span>
          <span class="faint">›</span>
          <span class="crumb">
            <AnsiText text={passName} />
          </span>
          <span class="faint">›</span>
          <strong>{state === 0 ? "input" : `match ${formatCount(state)}`}</strong>
          {model.stateCount > 1 && <span class="dim">of {formatCount(model.stateCount - 1)}</span>}
        </p>
        <button class="pill" title={said ?? "A click copies how many nodes there are"} onClick={copy}>
          {arrangement.counts.value !== null && `${formatCount(layout.nodes.length)} of `}
          {formatPlural(model.boxes[state] ?? 0, "node")}
          {(state > 0 || diff.isOn.value) && (
            <>
              {" "}
              <span class="made">+{formatCount(diff.isOn.value ? changes.made.size : model.made[state]!)}</span>{" "}
              <span class="removed">
                −{formatCount(diff.isOn.value ? changes.removed.length : model.removed[state]!)}
              </span>
            </>
          )}
        </button>
      </div>
      <ExecutionsPill context={chosen.context.value ?? -1} />
      <DirectionButton />
      <FollowButton />
      <ViewMenu />
      <button class="pill" onClick={camera.fit}>
        Fit <KeyCap command="graph.fit" />
      </button>
    </header>
  );
}

function DirectionButton() {
  const { direction } = useRewrites();
  const isOn = direction.isDown.value;
  useCommand("view.direction", direction.turn);
  return (
    <button
      class={isOn ? "pill on" : "pill"}
      aria-pressed={isOn}
      title="From top to bottom, or from left to right: at first whichever is larger in this window"
      onClick={direction.turn}
    >
      Down <KeyCap command="view.direction" />
    </button>
  );
}

function FollowButton() {
  const { camera } = useRewrites();
  const isOn = camera.isFollowing.value;
  useCommand("graph.follow", camera.turnFollowing);
  return (
    <button
      class={isOn ? "pill on" : "pill"}
      aria-pressed={isOn}
      title="Look at what each match changed, with its sources and users; ends when you move or zoom the graph yourself"
      onClick={camera.turnFollowing}
    >
      Follow <KeyCap command="graph.follow" />
    </button>
  );
}

/** Where nothing of what the match changed is on screen: the way there. */
export function ChangeElsewhere() {
  const { commands } = useApp();
  const { camera } = useRewrites();
  const isElsewhere = useComputed(() => camera.changeElsewhere().length > 0);
  if (!isElsewhere.value) return null;
  return (
    <button class="elsewhere" onClick={() => commands.run("graph.zoomToChange")}>
      the change is elsewhere <KeyCap command="graph.zoomToChange" />
    </button>
  );
}

/** Over how many layers an edge may lead before it is cut, as offered; 0 for any. */
const kCutChoices = [4, 8, 16, 48, 96];

/** In the corner: what the drawing leaves out of long edges, and from what length on. */
export function CutShare() {
  const { graph, arrangement } = useRewrites();
  const share = graph.shown.value!.layout.cutShare;
  const { cutLayers } = arrangement.current.value;
  if (share === 0 && cutLayers === null) return null;
  return (
    <p
      class="cut-share"
      title="Edges that are too long to draw: each of their ends is a stub, which names the other end and leads there"
    >
      {(share * 100).toFixed(share < 0.1 ? 1 : 0)} % of edges end in stubs
      <select
        aria-label="Cut edges over so many layers"
        value={cutLayers ?? ""}
        onChange={({ currentTarget: { value } }) => arrangement.set({ cutLayers: value === "" ? null : Number(value) })}
      >
        <option value="">the longest</option>
        {kCutChoices.map((layers) => (
          <option key={layers} value={layers}>
            over {layers} layers
          </option>
        ))}
        <option value={0}>none</option>
      </select>
    </p>
  );
}

/** The stream's progress, until it is done. */
export function StreamLine() {
  const { pass, graph, spot } = useRewrites();
  const problem = pass.problem.value;
  if (problem !== null) {
    return (
      <div class="stream-line broken" role="alert">
        {problem.message} <button onClick={pass.retry}>Try again</button>
      </div>
    );
  }
  const { loaded, layout } = graph.shown.value!;
  const { knownStates, stateCount } = loaded.model;
  const isWhole = knownStates === stateCount;
  if (!pass.streaming.value || (isWhole && layout.hasRoutes)) return null;
  const progress = pass.progress.value;
  const match = spot.match.value;
  return (
    <div class="stream-line" role="status">
      <progress value={progress?.done ?? knownStates} max={progress?.of ?? stateCount} />
      <span>
        {progress?.what ?? (isWhole ? "laying out" : "replaying")}
        {!isWhole && ` · ${formatCount(knownStates - 1)} of ${formatCount(stateCount - 1)} matches`}
        {match >= knownStates && ` · match ${formatCount(match)} is on its way`}
      </span>
    </div>
  );
}
