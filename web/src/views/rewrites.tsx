// Rewrites: contexts and steps, the graph of one state, and why it is as it is.
import { formatCount, formatPlural } from "../lib/text";
import { AnsiText } from "./ansi-text";
import { useApp } from "./app-context";
import { Blank } from "./blank";
import { GraphView } from "./graph-view";
import { Inspector } from "./inspector";
import { KeyCap } from "./key-cap";
import { Scrubber } from "./scrubber";
import { Split } from "./split";
import { StepList } from "./step-list";
import { RunsPill } from "./timeline-runs";

export function Rewrites() {
  return (
    <Split
      left={<StepList />}
      leftLabel="contexts and passes"
      middle={<Middle />}
      right={<Inspector />}
      rightLabel="inspector"
    />
  );
}

function Middle() {
  const { step, graph, session, rewrites, place } = useApp();
  const problem = step.problem.value;
  const shown = graph.shown.value;
  if (shown !== null) {
    return (
      <div class="stage">
        <GraphHead />
        <div class="graph-area">
          <GraphView />
          <CutShare />
        </div>
        <StreamLine />
        <Scrubber />
      </div>
    );
  }
  if (problem !== null) {
    return (
      <Blank
        title="This pass cannot be shown"
        lines={[problem.message, ...(problem.where ? [`  ${problem.where}`] : [])]}
        tone="broken"
      >
        <button onClick={step.retry}>Try again</button>
      </Blank>
    );
  }
  if (session.contexts.value === null) return <Blank title="Reading the contexts" />;
  const context = place.part.context.value;
  const wantedStep = place.part.step.value;
  if (rewrites.context.value === null && context !== null) {
    const lines = ["It may have been renamed, or the capture is another one. Choose one on the left."];
    return <Blank title={`No context is called ${context.name}`} lines={lines} />;
  }
  if (rewrites.step.value === null && wantedStep !== null) {
    return <Blank title={`No pass here is called ${wantedStep.name}`} lines={["Choose one on the left."]} />;
  }
  if (rewrites.step.value === null)
    return <Blank title="Nothing was traced here" lines={["This context has no passes."]} />;
  return <Blank title="Replaying the pass" progress={step.progress.value} />;
}

/** Over the graph: where we are, and how large the graph is. */
function GraphHead() {
  const { graph, session, rewrites, camera } = useApp();
  const { loaded, state } = graph.shown.value!;
  const { model } = loaded;
  const contexts = session.contexts.value;
  const context = contexts?.contexts[rewrites.context.value ?? -1];
  const stepName = contexts?.step_names[context?.steps.name[rewrites.step.value ?? -1] ?? -1] ?? "";
  return (
    <header class="graph-head">
      <p class="crumbs">
        <span class="crumb">
          <AnsiText text={context?.name ?? ""} />
        </span>
        <span class="faint">›</span>
        <span class="crumb">
          <AnsiText text={stepName} />
        </span>
        <span class="faint">›</span>
        <strong>{state === 0 ? "input" : `match ${formatCount(state)}`}</strong>
        {model.stateCount > 1 && <span class="dim">of {formatCount(model.stateCount - 1)}</span>}
      </p>
      <span class="pill">
        {formatPlural(model.boxes[state] ?? 0, "node")}
        {state > 0 && (
          <>
            {" "}
            <span class="made">+{model.made[state]}</span> <span class="removed">−{model.removed[state]}</span>
          </>
        )}
      </span>
      <RunsPill context={rewrites.context.value ?? -1} name={context?.name ?? ""} />
      <button class="pill" onClick={camera.fit}>
        Fit <KeyCap command="graph.fit" />
      </button>
    </header>
  );
}

/** In the corner: what the drawing leaves out. */
function CutShare() {
  const { graph } = useApp();
  const share = graph.shown.value!.layout.cutShare;
  if (share === 0) return null;
  return (
    <p class="cut-share" title="Edges too long to draw whole: each end is a stub that names the other and leads there">
      {(share * 100).toFixed(share < 0.1 ? 1 : 0)} % of edges cut
    </p>
  );
}

/** What the stream is doing, where it is not done. */
function StreamLine() {
  const { step, graph, place } = useApp();
  const problem = step.problem.value;
  if (problem !== null) {
    return (
      <div class="stream-line broken" role="alert">
        {problem.message} <button onClick={step.retry}>Try again</button>
      </div>
    );
  }
  const { loaded, layout } = graph.shown.value!;
  const { knownStates, stateCount } = loaded.model;
  const isWhole = knownStates === stateCount;
  if (!step.streaming.value || (isWhole && layout.hasRoutes)) return null;
  const progress = step.progress.value;
  const match = place.part.match.value;
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
