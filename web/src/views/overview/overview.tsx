// The answer to "what is slow here": devices busy and idle by cause, the kernels with the most time, the longest gaps,
// the steps, memory at its peak; each figure a click from its place.
import type { ReadonlySignal } from "@preact/signals";
import { stripAnsi } from "../../lib/ansi";
import { kKernelFields } from "../../lib/device-fields";
import {
  linkToGap,
  linkToKernels,
  linkToWorst,
  nameDevice,
  nameKernel,
  type WireDevices,
  type WireGap,
  type WireKernel,
  type WireKernels,
  type WirePath,
} from "../../lib/devices";
import { linkWithScope, pathInScope, queryOfScope, scopeOfKernel } from "../../lib/scope";
import { formatCount, formatPlural } from "../../lib/text";
import type { WireLanes } from "../../lib/timeline/wire";
import type { CaptureInfo } from "../../lib/wire";
import type { App } from "../../state/app";
import { followProfile, followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import type { OpenView } from "../view";
import { AnsiText } from "../parts/ansi-text";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Duration } from "../parts/figure";
import { fieldColumns } from "../parts/list-view/field-column";
import { ScopeButton } from "../parts/scope-button";
import { Table, type Column } from "../parts/table";
import { CriticalPaths } from "./critical-path";
import { DeviceBars } from "./device-bars";
import { listEngines, type WireEngines } from "./engine-rows";
import { Engines } from "./engines";
import { HostTime } from "./host-time";
import { PeakMemory } from "./peak-memory";
import { StepBars } from "./step-bars";
import { TopPasses } from "./top-passes";
import "./overview.css";

interface OverviewState {
  devices: ReadonlySignal<Fetched<WireDevices>>;
  /** The same of all steps, where the scope is of one: from step to step it is a click. */
  allSteps: ReadonlySignal<Fetched<WireDevices>>;
  kernels: ReadonlySignal<Fetched<WireKernels>>;
  paths: ReadonlySignal<Fetched<{ paths: WirePath[] }>>;
  lanes: ReadonlySignal<Fetched<WireLanes>>;
  /** Asked for only where there are TPUs. */
  engines: ReadonlySignal<Fetched<{ records: WireEngines[] }>>;
}

export const openOverview: OpenView = (app, isShown) => {
  const state = createOverview(app, isShown);
  return () => <Overview state={state} />;
};

function createOverview(app: App, isShown: ReadonlySignal<boolean>): OverviewState {
  return {
    devices: followScoped(app, isShown, () => "/api/v1/devices"),
    allSteps: followProfile(app, isShown, () => {
      const { step, range } = app.scope.now.value;
      const rest = queryOfScope({ ...app.scope.now.value, step: null, range: null });
      return step === null && range === null ? null : pathInScope("/api/v1/devices", rest);
    }),
    kernels: followScoped(app, isShown, () => "/api/v1/kernels"),
    paths: followScoped(app, isShown, () => "/api/v1/critical-path"),
    lanes: followProfile(app, isShown, () => "/api/v1/lanes"),
    engines: followProfile(app, isShown, ({ format }) => (format === "bigtpu" ? "/api/v1/summary" : null)),
  };
}

function Overview({ state }: { state: OverviewState }) {
  const capture = useApp().session.capture.value;
  const { value, problem } = state.devices.value;
  if (problem !== null) return <Blank title="The overview cannot be shown" lines={[problem.message]} tone="broken" />;
  if (capture === null || value === null) return <Blank title="Adding up what the devices did" />;
  const devices = value.data;
  const kernels = state.kernels.value.value?.data ?? null;
  const paths = state.paths.value.value?.data.paths ?? [];
  const lanes = state.lanes.value.value?.data ?? null;
  const engines = listEngines(state.engines.value.value?.data.records ?? []);
  const stepsOf = state.allSteps.value.value?.data ?? devices;
  const host = lanes !== null && <HostTime lanes={lanes} />;
  const isIdle = areIdle(devices);
  return (
    <div class="overview" data-scrolls tabIndex={0}>
      <h2>{capture.name}</h2>
      <p class="dim">{describe(capture, devices)}</p>
      {devices.breakdown.length === 0 ? (
        <>
          <p class="note dim">No device did any work here.</p>
          {host}
        </>
      ) : (
        <>
          {isIdle && host}
          {isIdle && <TopPasses />}
          <DeviceBars devices={devices} />
          {kernels !== null && <TopKernels kernels={kernels} />}
          {engines.length > 0 && <Engines rows={engines} />}
          {stepsOf.steps.length > 1 && <StepBars devices={stepsOf} />}
          {paths.length > 0 && <CriticalPaths paths={paths} />}
          <LongestGaps devices={devices} />
        </>
      )}
      {lanes !== null && <PeakMemory lanes={lanes} />}
      {!isIdle && <TopPasses />}
    </div>
  );
}

/** Whether devices did next to nothing, so that what is slow is on the host. */
function areIdle({ breakdown }: WireDevices): boolean {
  const whole = breakdown.filter(({ stream }) => stream === null);
  const sum = (of: "busy_ns" | "span_ns") => whole.reduce((all, row) => all + row[of], 0);
  return whole.length > 0 && sum("busy_ns") < 0.01 * sum("span_ns");
}

function describe(capture: CaptureInfo, { devices, steps }: WireDevices): string {
  const ranks = new Set(devices.map(({ rank }) => rank)).size;
  const parts = [formatPlural(capture.events, "event")];
  if (devices.length > 0) parts.unshift(formatPlural(devices.length, "device"));
  if (ranks > 1) parts.unshift(formatPlural(ranks, "rank"));
  if (steps.length > 0) parts.push(formatPlural(new Set(steps.map(({ number }) => number)).size, "step"));
  return parts.join(" · ");
}

function TopKernels({ kernels: { devices, rows } }: { kernels: WireKernels }) {
  const { place } = useApp();
  const kTop = 10;
  const top = [...rows].sort((a, b) => b.total_ns - a.total_ns).slice(0, kTop);
  const columns: Column<WireKernel>[] = [
    {
      id: "name",
      title: "Kernel",
      align: "left",
      isWide: true,
      isFixed: true,
      show: (row) => (
        <button class="link kernel-name" title={nameKernel(row, "name")} onClick={() => place.follow(linkToWorst(row))}>
          <AnsiText text={(row.name ?? "").replace(/^void /, "")} />
        </button>
      ),
    },
    ...(devices.length > 1
      ? [{ id: "device", title: "Device", align: "left" as const, show: (row: WireKernel) => nameDevice(row) }]
      : []),
    ...fieldColumns<WireKernel>(kKernelFields, ["launches", "total_ns", "time_percent", "median_ns", "max_ns"]),
    {
      id: "scope",
      title: "",
      show: (row) => <ScopeButton of="this kernel" change={scopeOfKernel(row, "name") ?? {}} />,
    },
  ];
  return (
    <section>
      <h3>Most time</h3>
      <Table
        columns={columns}
        rows={top}
        keyOf={(row) => `${row.place} ${row.class} ${row.name}`}
        label="Kernels with the most time"
      />
      <p>
        <button class="link" onClick={() => place.follow(linkToKernels("name"))}>
          {rows.length > kTop ? `all ${formatCount(rows.length)} kernels` : "in the table of kernels"}
        </button>{" "}
        <button class="link" onClick={() => place.follow(linkToKernels("category"))}>
          by category
        </button>{" "}
        {devices.some(({ device }) => typeof device === "number") && (
          <button class="link" onClick={() => place.follow(linkToKernels("operator"))}>
            by operator
          </button>
        )}
      </p>
    </section>
  );
}

const kCauses = {
  host: "launched too late by the host",
  kernel: "between two kernels",
  other: "waiting, or not told",
} as const;

function LongestGaps({ devices: { devices, gaps } }: { devices: WireDevices }) {
  const { place } = useApp();
  const kShown = 10;
  const longest = [...gaps].sort((a, b) => b.to_ns - b.from_ns - (a.to_ns - a.from_ns)).slice(0, kShown);
  if (longest.length === 0) return null;
  const columns: Column<WireGap>[] = [
    { id: "dur", title: "Idle", show: (gap) => <Duration ns={gap.to_ns - gap.from_ns} /> },
    { id: "device", title: "Device", align: "left", show: (gap) => nameDevice(devices[gap.device]!) },
    { id: "cause", title: "Why", align: "left", show: (gap) => kCauses[gap.cause] },
    {
      id: "ended",
      title: "Ended by",
      align: "left",
      isWide: true,
      show: (gap) => (
        <button
          class="link kernel-name"
          title={stripAnsi(gap.ended_by.name)}
          onClick={() => place.follow(linkWithScope(linkToGap(gap), { range: { from: gap.from_ns, to: gap.to_ns } }))}
        >
          <AnsiText text={gap.ended_by.name.replace(/^void /, "")} />
        </button>
      ),
    },
  ];
  return (
    <section>
      <h3>Longest idle</h3>
      <Table
        columns={columns}
        rows={longest}
        keyOf={(gap) => `${gap.device} ${gap.from_ns}`}
        label="Longest times with nothing running"
      />
    </section>
  );
}
