// The kernels on the devices of all ranks, and how much their times differ from rank to rank.
import { Blank } from "../parts/blank";
import { ListExport, ListFilter, ListTable } from "../parts/list-view/list-view";
import { sayKept } from "./say-kept";
import type { FleetState } from "./state";

export function JobKernels({ fleet }: { fleet: FleetState }) {
  const { kernels, lists } = fleet;
  if (kernels.value === null) return <Blank title="Asking the store" />;
  if (kernels.value.length === 0) return <p class="dim note">No device did any work in this job.</p>;
  return (
    <>
      <div class="fleet-note">
        <ListFilter list={lists.kernels} hint="Filter kernels" label="Filter kernels" />
        <span class="dim">{sayKept(lists.kernels, "kernel")} over all ranks, most time first</span>
        <ListExport list={lists.kernels} name="kernels of all ranks" />
      </div>
      <ListTable list={lists.kernels} label="Kernels of all ranks" />
    </>
  );
}
