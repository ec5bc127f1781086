// The collectives of ranks: how much they exchanged, how fast, and which rank the others waited for.
import { formatPlural } from "../../lib/text";
import { ListExport, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { ShapeTabs } from "./shape-tabs";
import type { KernelState } from "./state";

export function Collectives({ kernels }: { kernels: KernelState }) {
  const { collectives, collectiveList: list } = kernels;
  const rows = list.rows.value;
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return (
    <div class="kernels whole">
      <header class="kernels-head">
        <ShapeTabs kernels={kernels} />
        {collectives.value.value !== null && <span class="dim">{formatPlural(count, "collective")}</span>}
        <ListExport list={list} name="collectives" />
      </header>
      <WhenFetched
        fetched={collectives.value}
        waiting="Finding what ranks exchanged"
        broken="The collectives cannot be shown"
      >
        {() =>
          rows.length === 0 ? (
            <p class="dim note">No ranks exchanged anything in this capture.</p>
          ) : (
            <div class="scroll" data-scrolls tabIndex={0}>
              <ListTable list={list} label="Collectives" />
              {rows.every(({ bytes }) => bytes === null) && (
                <p class="dim note">
                  The capture does not tell how much was exchanged: PyTorch 2.2 and later record it.
                </p>
              )}
              {rows.every(({ seen_ranks }) => seen_ranks < 2) && (
                <p class="dim note">
                  Who came last is told where the profiles of several ranks are opened as one capture.
                </p>
              )}
            </div>
          )
        }
      </WhenFetched>
    </div>
  );
}
