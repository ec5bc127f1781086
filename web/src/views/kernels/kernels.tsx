// The table of kernels, the chosen one beside it, and the roofline.
import { kKernelGroups, linkToWorst, type KernelGroup } from "../../lib/devices";
import { scopeOfKernel } from "../../lib/scope";
import { formatPlural } from "../../lib/text";
import type { OpenView } from "../view";
import { useApp, useCommand } from "../parts/app-context";
import { ListExport, ListFilter, ListTable, useListCommands, WhenFetched } from "../parts/list-view/list-view";
import { Split } from "../parts/split";
import { useScopedName } from "../parts/use-scoped-name";
import { Nothing } from "../parts/nothing";
import { kTitles } from "./columns";
import { KernelSide } from "./kernel-side";
import { createKernels, type KernelState } from "./state";
import "./kernels.css";

export const openKernels: OpenView = (app, isShown) => {
  const kernels = createKernels(app, isShown);
  return () => <Kernels kernels={kernels} />;
};

function Kernels({ kernels }: { kernels: KernelState }) {
  const { place, scope } = useApp();
  useListCommands(kernels.list, { previous: "kernels.previous", next: "kernels.next" });
  useCommand("kernels.worst", () => {
    const row = kernels.list.chosen.value;
    if (row !== null) place.follow(linkToWorst(row));
  });
  useCommand("kernels.scope", () => {
    const row = kernels.list.chosen.value;
    const change = row === null ? null : scopeOfKernel(row, kernels.rowsGroup.value);
    if (change === null) return false;
    const isOn = change.kernel !== undefined && change.kernel === scope.now.peek().kernel;
    scope.set(isOn ? { kernel: null } : change);
    return true;
  });
  return (
    <WhenFetched
      fetched={kernels.fetched.value}
      waiting="Adding up what the devices did"
      broken="The kernels cannot be shown"
    >
      {() => (
        <Split
          left={null}
          leftLabel=""
          middle={<KernelTable kernels={kernels} />}
          right={<KernelSide kernels={kernels} />}
          rightLabel="the kernel and the roofline"
        />
      )}
    </WhenFetched>
  );
}

const kLeftOut = new Set([
  "mean_ns",
  "p90_ns",
  "max_ns",
  "call_mean_ns",
  "call_p90_ns",
  "call_max_ns",
  "work_from",
  "attention",
  "copied_per_s",
  "host_memory",
]);

function KernelTable({ kernels }: { kernels: KernelState }) {
  const { list } = kernels;
  const rows = list.rows.value;
  const columns = list.columns.value;
  const group = kernels.rowsGroup.value;
  const isStale = group !== kernels.group.value;
  // Where rates are known there is less room: what is left out is in the export.
  const hasRates = columns.some(({ id }) => id === "flop_per_s" || id === "bytes_per_s");
  const shown = columns.filter(({ id }) => !hasRates || !kLeftOut.has(id));
  const launches = rows.reduce((sum, row) => sum + row.launches, 0);
  return (
    <div class="work">
      <header class="work-head">
        <ListFilter list={list} hint="Filter by name or device" label="Filter kernels" />
        <select
          class="choice"
          aria-label="Add up"
          value={kernels.group.value}
          onChange={(event) => kernels.setGroup(event.currentTarget.value as KernelGroup)}
        >
          {kKernelGroups.map((each) => (
            <option key={each} value={each}>
              {kTitles[each]}
            </option>
          ))}
        </select>
        <span class="dim">
          {formatPlural(rows.length, "row")} · {formatPlural(launches, "launch", "launches")}
        </span>
        <ListExport list={list} name={useScopedName(`kernels ${kTitles[group]}`)} />
      </header>
      <div class={isStale ? "scroll stale" : "scroll"} aria-busy={isStale} data-scrolls tabIndex={0}>
        <ListTable
          list={list}
          label="Kernels"
          columns={shown}
          nothing={<Nothing of="device_work" none="No device did any work in this capture." />}
        />
      </div>
    </div>
  );
}
