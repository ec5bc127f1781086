// The words that rows have to hold.
import { FilterBox } from "../parts/filter-box";
import type { KernelState } from "./state";

export function KernelFilter({ kernels, hint }: { kernels: KernelState; hint: string }) {
  return <FilterBox hint={hint} label="Filter kernels" text={kernels.text.value} onText={kernels.setText} />;
}
