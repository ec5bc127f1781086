// Kernels that follow one another on a stream again and again: candidates for fusion.
import { formatPlural } from "../../lib/text";
import { ListExport, ListFilter, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { ShapeTabs } from "./shape-tabs";
import type { KernelState } from "./state";

export function Sequences({ kernels }: { kernels: KernelState }) {
  const { sequences, sequenceList: list, onlyCandidates } = kernels;
  const { value } = sequences.value;
  return (
    <div class="kernels whole sequences">
      <header class="kernels-head">
        <ShapeTabs kernels={kernels} />
        <ListFilter list={list} hint="Filter by kernel" label="Filter kernels" />
        <button
          class={onlyCandidates.value ? "pill on" : "pill"}
          aria-pressed={onlyCandidates.value}
          title="Without products, convolutions and attention: kernels that memory holds up"
          onClick={() => (onlyCandidates.value = !onlyCandidates.value)}
        >
          Only candidates for fusion
        </button>
        {value !== null && <span class="dim">{formatPlural(list.rows.value.length, "sequence")}</span>}
        <ListExport list={list} name="kernel sequences" />
      </header>
      <WhenFetched fetched={sequences.value} waiting="Finding what follows what" broken="The sequences cannot be shown">
        {({ rows }) =>
          list.rows.value.length === 0 ? (
            <p class="dim note">
              {rows.length === 0 ? "No kernels follow one another three times." : "No such sequence."}
            </p>
          ) : (
            <div class="scroll" data-scrolls tabIndex={0}>
              <ListTable list={list} label="Sequences of kernels" />
            </div>
          )
        }
      </WhenFetched>
    </div>
  );
}
