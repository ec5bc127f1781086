// The answer to "what is slow here": a few figures, where the devices' time went, then what cost the most, as lists
// that each lead somewhere. A capture shows those that it has something for, and the others take the room.
import { recordsOf, usualBlock } from "../../lib/etdump/records";
import type { WireRecord } from "../../lib/etdump/wire";
import { addBreakdowns, type WireDevices } from "../../lib/devices";
import type { CaptureInfo } from "../../lib/wire";
import type { OpenView } from "../view";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Nothing } from "../parts/nothing";
import { Reading } from "../parts/reading";
import { askForOverview, isHostsWork, type OverviewAnswers } from "./answers";
import { Compiles } from "./compiles";
import { CriticalPaths } from "./critical-path";
import { Delegates, Modules } from "./delegates";
import { DeviceTime } from "./device-time";
import { listEngines } from "./engine-rows";
import { Engines } from "./engines";
import { Findings } from "./finding-list";
import { Head } from "./head";
import { chooseFigures } from "./headline";
import { HostTime } from "./host-time";
import { ThreadTime } from "./thread-time";
import { LongestIdle } from "./longest-idle";
import { CompiledKernels, MissingTimes } from "./missing-times";
import { TraceOfSnapshot } from "./allocator-memory";
import { PeakMemory } from "./peak-memory";
import { lacksTimes, listPrograms } from "./programs";
import { StepBars } from "./step-bars";
import { Stragglers } from "./straggler-list";
import { TopKernels } from "./top-kernels";
import { TopOperators } from "./top-operators";
import { TopPasses } from "./top-passes";
import "./overview.css";

export const openOverview: OpenView = (app, isShown) => {
  const answers = askForOverview(app, isShown);
  return () => <Overview answers={answers} />;
};

function Overview({ answers }: { answers: OverviewAnswers }) {
  const capture = useApp().session.capture.value;
  const { value, problem } = answers.devices.value;
  if (problem !== null) return <Blank title="The overview cannot be shown" lines={[problem.message]} tone="broken" />;
  if (capture === null || value === null) return <Waiting />;
  return (
    <div class="overview" data-scrolls tabIndex={0}>
      <Known answers={answers} capture={capture} devices={value.data} />
    </div>
  );
}

/** Sums are of all that was recorded; the timeline shows what is read of a large capture before that. */
function Waiting() {
  const { place, session } = useApp();
  const opening = session.opening.value;
  if (opening === null) return <Blank title="Adding up what the devices did" />;
  return (
    <Reading title="Reading the capture" opening={opening}>
      {opening.lanes.length > 0 && (
        <button class="link" onClick={() => place.goToView("timeline")}>
          See what is read so far
        </button>
      )}
    </Reading>
  );
}

interface KnownProps {
  answers: OverviewAnswers;
  capture: CaptureInfo;
  devices: WireDevices;
}

/** Shows what has come of the other answers by now. */
function Known({ answers, capture, devices }: KnownProps) {
  const contexts = useApp().session.contexts.value;
  const kernels = answers.kernels.value.value?.data ?? null;
  const rows = kernels?.rows ?? [];
  const lanes = answers.lanes.value.value?.data ?? null;
  const stragglers = answers.collectives.value.value?.data.stragglers ?? [];
  const paths = answers.paths.value.value?.data.paths ?? [];
  const diagnosis = answers.diagnosis.value.value?.data ?? null;
  const engines = listEngines(answers.engines.value.value?.data.records ?? []);
  const run = runOf(answers.runs.value.value?.data.records ?? []);
  const whole = addBreakdowns(devices.breakdown.filter(({ stream }) => stream === null));
  const isUntimed = kernels !== null && lacksTimes(contexts, rows);
  const ofSteps = answers.allSteps.value.value?.data ?? devices;
  const recorded_ns = lanes?.dur_ns ?? 0;
  const figures = chooseFigures({
    capture,
    devices,
    kernels: rows,
    lanes: lanes?.lanes ?? [],
    recorded_ns,
    engines,
    run,
    lacksTimes: isUntimed,
    programs: isUntimed && contexts !== null ? listPrograms(contexts).length : 0,
  });
  const { wish, value, problem } = answers.operators.value;
  const operators = value?.data.rows ?? [];
  const areOperatorsComing = wish !== null && value === null && problem === null;
  const host =
    operators.length > 0 ? (
      <TopOperators rows={operators} />
    ) : (
      !areOperatorsComing && lanes !== null && <HostTime lanes={lanes} />
    );
  return (
    <>
      <Head capture={capture} devices={devices} figures={figures} recorded_ns={recorded_ns} />
      {isUntimed && contexts !== null ? (
        <MissingTimes contexts={contexts} />
      ) : whole === null ? (
        <>
          <p class="note dim">
            {capture.allocators > 0 ? (
              <TraceOfSnapshot capture={capture} />
            ) : (
              <Nothing of="device_work" none="No device did any work here." />
            )}
          </p>
          <ThreadTime threads={devices.threads} />
        </>
      ) : (
        <DeviceTime devices={devices} />
      )}
      <div class="overview-columns">
        {isUntimed && contexts !== null && <CompiledKernels contexts={contexts} />}
        {(isUntimed || isHostsWork(devices)) && host}
        {diagnosis !== null && <Findings diagnosis={diagnosis} />}
        <Stragglers stragglers={stragglers} />
        <Compiles rows={answers.compiles.value.value?.data.rows ?? []} />
        {run !== null && <Delegates rows={run.delegations} block={run.block} />}
        {kernels !== null && <TopKernels kernels={kernels} />}
        {run !== null && <Modules rows={run.modules} block={run.block} />}
        {ofSteps.steps.length > 1 && <StepBars devices={ofSteps} />}
        {!isUntimed && <LongestIdle devices={devices} />}
        {lanes !== null && <PeakMemory lanes={lanes} />}
        <TopPasses />
        {!isUntimed && paths.length > 0 && <CriticalPaths paths={paths} />}
        {engines.length > 0 && <Engines rows={engines} />}
      </div>
    </>
  );
}

/** For an ETDump: the first execution, who ran it, and its modules. */
function runOf(records: readonly WireRecord[]) {
  const blocks = recordsOf(records, "block");
  const block = blocks.find(({ block_index }) => block_index === usualBlock(blocks));
  if (block === undefined) return null;
  const of = block.block_index;
  return {
    block,
    delegations: recordsOf(records, "delegation", of),
    modules: recordsOf(records, "module", of),
  };
}
