// The verdict: slower or faster by how much, in which class of work, because of which rows; and both sides' time as
// bars on one scale.
import { formatChange, formatRatio, nameClass, sayVerdict, toneOf } from "../../lib/comparison";
import { dividedTime, nameDevice, type WireComparison, type WireVerdict } from "../../lib/devices";
import { formatDuration } from "../../lib/text";
import { Duration } from "../parts/figure";
import { Name } from "../parts/name";
import { TimeBar } from "../parts/time-bar";
import { nameOf } from "./columns";
import type { CompareState } from "./state";

export function Verdict({ state, data }: { state: CompareState; data: WireComparison }) {
  const { verdict } = data;
  if (verdict === null)
    return <p class="verdict dim">One of the captures shows no work of a device, so there is nothing to judge.</p>;
  const { tone, head, measure, because, mainly } = sayVerdict(verdict);
  return (
    <section class="verdict" aria-label="Verdict">
      <p class="verdict-head">
        <strong class={tone}>{head}</strong>{" "}
        <span class="verdict-times">
          <Duration ns={verdict.a.dur_ns} /> → <Duration ns={verdict.b.dur_ns} />
        </span>{" "}
        <span class="dim">{measure}</span>
      </p>
      <div class="verdict-why">
        <Classes verdict={verdict} mainly={mainly} />
        {verdict.word !== "same" && <Causes state={state} data={data} verdict={verdict} title={because} />}
      </div>
    </section>
  );
}

function Classes({ verdict, mainly }: { verdict: WireVerdict; mainly: string }) {
  const known = verdict.classes.filter(({ a_ns, b_ns }) => a_ns !== 0 || b_ns !== 0);
  return (
    <div>
      <h2>By class{mainly === "" ? "" : `: ${mainly}`}</h2>
      <table class="verdict-classes" aria-label="Change by class of work">
        <tbody>
          {known.map(({ class: name, a_ns, b_ns }) => (
            <tr key={name}>
              <th scope="row">{nameClass(name)}</th>
              <td>{formatDuration(a_ns)}</td>
              <td>→ {formatDuration(b_ns)}</td>
              <td class={toneOf(b_ns - a_ns)}>{formatChange(b_ns - a_ns)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="dim">of {verdict.of === "step" ? "the median step" : "an average device"}</p>
    </div>
  );
}

interface CausesProps {
  state: CompareState;
  data: WireComparison;
  verdict: WireVerdict;
  title: string;
}

function Causes({ state, data, verdict, title }: CausesProps) {
  return (
    <div class="verdict-causes">
      <h2>{title}</h2>
      {verdict.causes.length === 0 && <p class="dim">None: the change is of idle time alone.</p>}
      <ol>
        {verdict.causes.map(({ row: at, change_ns }) => {
          const row = data.rows[at]!;
          return (
            <li key={at}>
              <button class="link" onClick={() => state.list.choose(row)}>
                <Name name={nameOf(row, state.join.value)} />
              </button>{" "}
              <span class={toneOf(change_ns)}>{formatChange(change_ns)}</span>{" "}
              <span class="dim">{sayShare(row.total_ratio, row.state)}</span>
            </li>
          );
        })}
      </ol>
      {verdict.of === "step" && <p class="dim">in each step, on all devices</p>}
    </div>
  );
}

const sayShare = (ratio: number | null, state: string) =>
  state !== "both" ? state : ratio === null ? "" : formatRatio(ratio);

/** Side by side, on one scale; with what the colours mean. */
export function Breakdowns({ data: { a, b } }: { data: WireComparison }) {
  const sides = [a, b].map(({ name, breakdown }) => ({
    name,
    rows: breakdown.filter(({ stream }) => stream === null),
  }));
  const longest_ns = Math.max(1, ...sides.flatMap(({ rows }) => rows.map(({ span_ns }) => span_ns)));
  const isThere = new Set(
    sides.flatMap(({ rows }) => rows.flatMap((row) => dividedTime(row).flatMap(({ id, ns }) => (ns > 0 ? [id] : [])))),
  );
  const first = sides.flatMap(({ rows }) => rows)[0];
  if (first === undefined) return null;
  return (
    <section class="comparison-bars" aria-label="Time of devices">
      <ul class="bar-legend">
        {dividedTime(first).map(
          ({ id, title, hint }) =>
            isThere.has(id) && (
              <li key={id} title={hint}>
                <span class={`swatch part-${id}`} /> {title}
              </li>
            ),
        )}
      </ul>
      {sides.flatMap(({ name, rows }, side) =>
        rows.map((row) => (
          <div class="comparison-bar" key={`${side} ${nameDevice(row)}`}>
            <span class="dim" title={name}>
              {side === 0 ? "A" : "B"} {nameDevice(row)} · {formatDuration(row.span_ns)}
            </span>
            <TimeBar parts={dividedTime(row)} span_ns={row.span_ns} longest_ns={longest_ns} />
          </div>
        )),
      )}
    </section>
  );
}
