// The columns of places of two servers' steps.
import { formatChange, toneOf } from "../../lib/comparison";
import { kPlaceFields } from "../../lib/device-fields";
import { Figure } from "../parts/figure";
import { fieldColumn, fieldColumns, kNothing, withoutEmpty } from "../parts/list-view/field-column";
import { kindColumn, layerColumn } from "../parts/module-columns";
import { Name } from "../parts/name";
import type { Column } from "../parts/table";
import type { WirePlace } from "./wire";

export function placeColumns(rows: readonly WirePlace[]): readonly Column<WirePlace>[] {
  const most = rows.reduce((longest, { delta_ns }) => Math.max(longest, Math.abs(delta_ns ?? 0)), 1);
  return withoutEmpty(
    [
      fieldColumn<WirePlace>("phase", kPlaceFields.phase),
      layerColumn<WirePlace>((_, text) => text || kNothing),
      kindColumn<WirePlace>(),
      ...fieldColumns<WirePlace>(kPlaceFields, ["operator", "n", "a_count", "b_count", "a_mean_ns", "b_mean_ns"]),
      fieldColumn<WirePlace>("delta_ns", kPlaceFields.delta_ns, {
        show: ({ delta_ns }) =>
          delta_ns === null ? (
            kNothing
          ) : (
            <span class={toneOf(delta_ns)}>
              <i class="place-bar" style={{ width: `${(Math.abs(delta_ns) / most) * 70}px` }} />
              <Figure text={formatChange(delta_ns)} exact={delta_ns} unit="ns" />
            </span>
          ),
      }),
      fieldColumn<WirePlace>("state", kPlaceFields.state, {
        show: sayState,
      }),
      kKernels,
    ],
    rows,
  );
}

/** One name where both have it, else both, the one before over the one after. */
const kKernels: Column<WirePlace> = {
  id: "kernel",
  title: "Kernel",
  hint: "Of the first run; A's over B's where they differ",
  align: "left",
  isWide: true,
  namesOf: ({ a_name, b_name }) => [a_name, b_name].flatMap((name) => name ?? []),
  show: ({ a_name, b_name }) =>
    a_name === b_name || a_name === null || b_name === null ? (
      <span class="kernel-cell" title={a_name ?? b_name ?? ""}>
        <Name name={a_name ?? b_name ?? ""} />
      </span>
    ) : (
      <span class="kernel-cell two-kernels" title={`A: ${a_name}\nB: ${b_name}`}>
        <span class="dim">
          <Name name={a_name} />
        </span>
        <Name name={b_name} />
      </span>
    ),
  value: ({ a_name, b_name }) => (a_name === b_name ? a_name : `${a_name ?? "none"} -> ${b_name ?? "none"}`),
};

function sayState({ state }: WirePlace) {
  const isMore = state === "added";
  return state === "both" ? "" : <span class={isMore ? "slower" : "faster"}>{state}</span>;
}
