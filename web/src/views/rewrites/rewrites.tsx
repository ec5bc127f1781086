// Rewrites: contexts and passes, the graph of one state, and why it is as it is.
import { useEffect } from "preact/hooks";
import { useApp, useCommand } from "../parts/app-context";
import type { OpenView } from "../view";
import { provideRewrites, useRewrites } from "./context";
import { createRewrites } from "./state/rewrites";
import "./graph.css";
import "./inspector.css";
import "./pass-list.css";
import { ArrangementBar } from "./arrangement-bar";
import { Blank } from "../parts/blank";
import { ChangeElsewhere, CutShare, GraphHead, StreamLine } from "./graph-head";
import { GraphView } from "./graph-view";
import { Inspector } from "./inspector";
import { Minimap } from "./minimap";
import { MeasureLegend } from "./measure-choice";
import { Scrubber } from "./scrubber";
import { Split } from "../parts/split";
import { PassList } from "./pass-list";

export const openRewrites: OpenView = (app) => provideRewrites(createRewrites(app), Rewrites);

function Rewrites() {
  const { panes, place } = useApp();
  const { pass, find } = useRewrites();
  useEffect(() => pass.want(), [pass]);
  useCommand("page.search", () => {
    panes.fold("right", false);
    place.adjust({ tab: "find" });
    find.ask();
  });
  return (
    <Split
      left={<PassList />}
      leftLabel="contexts and passes"
      middle={<Middle />}
      right={<Inspector />}
      rightLabel="inspector"
    />
  );
}

function Middle() {
  const { session, chosen } = useApp();
  const { pass, graph } = useRewrites();
  const problem = pass.problem.value;
  const shown = graph.shown.value;
  if (shown !== null) {
    return (
      <div class="stage">
        <GraphHead />
        <div class="graph-area">
          <GraphView />
          <ChangeElsewhere />
          <div class="graph-corner">
            <Minimap />
            <CutShare />
          </div>
          <MeasureLegend />
          <ArrangementBar />
          <StreamLine />
        </div>
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
        <button onClick={pass.retry}>Try again</button>
      </Blank>
    );
  }
  if (session.contexts.value === null) return <Blank title="Reading the contexts" />;
  const { context, pass: wantedPass } = chosen.named.value;
  if (chosen.context.value === null && context !== null) {
    const lines = ["It may have been renamed, or the capture is another one. Choose one on the left."];
    return <Blank title={`No context is called ${context.name}`} lines={lines} />;
  }
  if (chosen.pass.value === null && wantedPass !== null) {
    return <Blank title={`No pass here is called ${wantedPass.name}`} lines={["Choose one on the left."]} />;
  }
  if (chosen.pass.value === null)
    return <Blank title="Nothing was traced here" lines={["This context has no passes."]} />;
  return <Blank title="Replaying the pass" progress={pass.progress.value} />;
}
