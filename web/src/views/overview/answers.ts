// What the overview asks of the server.
import type { ReadonlySignal } from "@preact/signals";
import {
  addBreakdowns,
  type WireCollectives,
  type WireCompiles,
  type WireDevices,
  type WireKernels,
  type WireOperators,
  type WirePath,
} from "../../lib/devices";
import type { WireDiagnosis } from "../../lib/diagnosis";
import type { WireRecord } from "../../lib/etdump/wire";
import type { WireLanes } from "../../lib/timeline/wire";
import { pathInScope, queryOfScope } from "../../lib/scope";
import type { App } from "../../state/app";
import { followProfile, followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import type { WireEngines } from "./engine-rows";

type Answer<T> = ReadonlySignal<Fetched<T>>;

export interface OverviewAnswers {
  devices: Answer<WireDevices>;
  /** The same of all steps, where the scope is of one: from step to step it is a click. */
  allSteps: Answer<WireDevices>;
  kernels: Answer<WireKernels>;
  /** Only where the work was the host's. */
  operators: Answer<WireOperators>;
  paths: Answer<{ paths: WirePath[] }>;
  lanes: Answer<WireLanes>;
  collectives: Answer<WireCollectives>;
  compiles: Answer<WireCompiles>;
  diagnosis: Answer<WireDiagnosis>;
  /** Only for TPUs. */
  engines: Answer<{ records: WireEngines[] }>;
  /** Only for ETDumps. */
  runs: Answer<{ records: WireRecord[] }>;
}

/** Devices that are busy for a smaller share of their time did next to nothing: what is slow is on the host. */
const kLeastBusy = 0.01;

/** Whether the devices did nothing, or next to nothing. */
export function isHostsWork({ breakdown }: WireDevices): boolean {
  const whole = addBreakdowns(breakdown.filter(({ stream }) => stream === null));
  return whole === null || whole.busy_ns < kLeastBusy * whole.span_ns;
}

export function askForOverview(app: App, isShown: ReadonlySignal<boolean>): OverviewAnswers {
  const summaryOf = (wanted: string) =>
    followProfile<never>(app, isShown, ({ format }) => (format === wanted ? "/api/v1/summary" : null));
  const devices = followScoped<WireDevices>(app, isShown, () => "/api/v1/devices");
  return {
    devices,
    allSteps: followProfile(app, isShown, () => {
      const { step, range } = app.scope.now.value;
      const rest = queryOfScope({ ...app.scope.now.value, step: null, range: null });
      return step === null && range === null ? null : pathInScope("/api/v1/devices", rest);
    }),
    kernels: followScoped(app, isShown, () => "/api/v1/kernels"),
    operators: followScoped(app, isShown, () => {
      const known = devices.value.value?.data;
      return known !== undefined && isHostsWork(known) ? "/api/v1/operators" : null;
    }),
    paths: followScoped(app, isShown, () => "/api/v1/critical-path"),
    lanes: followProfile(app, isShown, () => "/api/v1/lanes"),
    collectives: followScoped(app, isShown, () => "/api/v1/collectives"),
    compiles: followScoped(app, isShown, () => "/api/v1/compiles"),
    diagnosis: followScoped(app, isShown, () => "/api/v1/diagnosis"),
    engines: summaryOf("bigtpu"),
    runs: summaryOf("etdump"),
  };
}
