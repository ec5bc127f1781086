// The open row on both sides: its launches, how long they took, how they were launched otherwise, and where the
// compiler began to do otherwise for it.
import { stripAnsi } from "../../lib/ansi";
import { formatRatio, stateOf } from "../../lib/comparison";
import { formatCount } from "../../lib/text";
import { CopyButton } from "../parts/copy-button";
import { Duration, Figure } from "../parts/figure";
import { Name } from "../parts/name";
import { Section } from "../parts/section";
import { Change, nameOf, type Row } from "./columns";
import { Distribution, Launches } from "./launches";
import { Parting } from "./parting";
import type { CompareState } from "./state";
import type { WireArgument, WireKernelPair, WireKernelSide } from "./wire";

export function Evidence({ state, row }: { state: CompareState; row: Row }) {
  const name = nameOf(row, state.join.value);
  const { value, problem } = state.kernel.value;
  const captures = state.pair.value!;
  return (
    <section class="evidence" aria-label="The row on both sides">
      <header class="evidence-head">
        <h2 class="kernel-cell">
          <Name name={name} />
        </h2>
        <span class="dim">{stateOf(row) === "same" ? "in both" : stateOf(row)}</span>
        <CopyButton text={() => stripAnsi(name)} label="the name" />
        <button class="icon" aria-label="Close the row" title="Close (Esc)" onClick={() => state.list.choose(null)}>
          ✕
        </button>
      </header>
      {problem !== null && <p class="error note">{problem.message}</p>}
      {value !== null && (
        <div class={state.kernel.value.wish === value.wish ? "evidence-body" : "evidence-body stale"}>
          <div>
            <Section title="Launches" note="a click goes to the timeline">
              <Launches pair={value.data} captures={{ a: captures.before.name, b: captures.after.name }} />
              <Distribution pair={value.data} />
            </Section>
          </div>
          <div>
            <Parting state={state} />
            <Quantiles pair={value.data} />
            <Arguments pair={value.data} />
          </div>
        </div>
      )}
    </section>
  );
}

const kQuantiles = [
  ["shortest", "min_ns"],
  ["median", "median_ns"],
  ["90th percentile", "p90_ns"],
  ["longest", "max_ns"],
] as const;

function Quantiles({ pair: { a, b } }: { pair: WireKernelPair }) {
  const time = (side: WireKernelSide, id: (typeof kQuantiles)[number][1]) => {
    const ns = side[id];
    return ns === undefined ? "" : <Duration ns={ns} />;
  };
  return (
    <Section title="Durations">
      <table class="sides">
        <thead>
          <tr>
            <td />
            <th scope="col">A</th>
            <th scope="col">B</th>
            <th scope="col">change</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">launches</th>
            {[a, b].map(({ launches }, side) => (
              <td key={side}>
                <Figure text={formatCount(launches)} exact={launches} />
              </td>
            ))}
            <td>{a.launches === b.launches ? "" : formatSigned(b.launches - a.launches)}</td>
          </tr>
          {kQuantiles.map(([title, id]) => (
            <tr key={id}>
              <th scope="row">{title}</th>
              <td>{time(a, id)}</td>
              <td>{time(b, id)}</td>
              <td>
                {a[id] !== undefined && b[id] !== undefined && (
                  <>
                    <Change ns={b[id] - a[id]} /> {a[id] > 0 && formatRatio(b[id] / a[id])}
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const formatSigned = (count: number) => `${count > 0 ? "+" : "−"}${formatCount(Math.abs(count))}`;

/** Shows the arguments that differ, and how many others there are. */
function Arguments({ pair }: { pair: WireKernelPair }) {
  const { arguments: all, left_out: leftOut } = pair;
  if (all.length === 0 || pair.a.launches === 0 || pair.b.launches === 0) return null;
  const differing = all.filter(({ differs }) => differs);
  const same = all.filter(({ differs }) => !differs);
  return (
    <Section title="Shapes and launch parameters">
      {differing.length === 0 ? (
        <p class="dim">All {same.length} that are recorded are the same.</p>
      ) : (
        <ArgumentTable rows={differing} />
      )}
      {differing.length > 0 && same.length > 0 && (
        <details>
          <summary>{same.length} the same</summary>
          <ArgumentTable rows={same} />
        </details>
      )}
      {leftOut.length > 0 && <p class="dim">Left out, as they differ from launch to launch: {leftOut.join(", ")}.</p>}
    </Section>
  );
}

function ArgumentTable({ rows }: { rows: readonly WireArgument[] }) {
  return (
    <table class="sides values">
      <thead>
        <tr>
          <td />
          <th scope="col">A</th>
          <th scope="col">B</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.of} ${row.name}`}>
            <th scope="row" title={row.of === "operator" ? "of the operator" : "of the launch"}>
              {row.name}
            </th>
            <td>{sayValues(row.a)}</td>
            <td>{sayValues(row.b)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const kMostValues = 4;

function sayValues(values: WireArgument["a"]): string {
  if (values.length === 0) return "not recorded";
  const many = values.length > 1;
  const shown = values.slice(0, kMostValues).map(({ value, launches }) => (many ? `${value} (${launches} ×)` : value));
  const left = values.length - shown.length;
  return shown.join(", ") + (left > 0 ? ` and ${left} more` : "");
}
