// One tensor: its figures, how its elements spread, and a slice of it as a picture and as numbers.
import { Facts } from "../parts/facts";
import { Section } from "../parts/section";
import { formatCount } from "../../lib/text";
import { SlicePicture } from "./slice-picture";
import type { ValueState } from "./state";
import { formatShape, formatValue, toNumber, type WireNumber, type WireSlice, type WireTensor } from "./wire";

export function TensorSide({ values }: { values: ValueState }) {
  const logged = values.list.value.value?.data.values[values.chosen.value];
  if (logged === undefined) return <p class="dim note">Click a value to see its elements.</p>;
  const { value, problem } = values.tensor.value;
  return (
    <div class="scroll" data-scrolls tabIndex={0}>
      <Section title={values.nameOf(logged)}>
        <Facts
          facts={[
            ["type", logged.dtype],
            ["shape", formatShape(logged.shape)],
            ["elements", formatCount(logged.shape.reduce((n, size) => n * size, 1))],
            ["min", formatValue(logged.min)],
            ["max", formatValue(logged.max)],
            ["mean", formatValue(logged.mean)],
            [
              "NaN, infinite, zero",
              `${formatCount(logged.nan)}, ${formatCount(logged.inf)}, ${formatCount(logged.zero)}`,
            ],
            ...(logged.nodes === ""
              ? []
              : [["nodes", <Nodes key="n" values={values} names={logged.nodes} />] as const]),
          ]}
        />
        {!logged.has_data && <p class="removed">Its data are not there: give vizd the debug buffer.</p>}
      </Section>
      {problem !== null && <p class="removed note">{problem.message}</p>}
      {value !== null && logged.has_data && <Elements values={values} tensor={value.data} />}
    </div>
  );
}

/** Each leads to the graph. */
function Nodes({ values, names }: { values: ValueState; names: string }) {
  return (
    <>
      {names.split(", ").map((name) => (
        <button
          key={name}
          class="link mono values-node"
          title="Find it in the graph"
          onClick={() => values.goToGraph(name)}
        >
          {name}
        </button>
      ))}
    </>
  );
}

function Elements({ values, tensor }: { values: ValueState; tensor: WireTensor }) {
  const { slice, histogram } = tensor;
  return (
    <>
      {histogram !== null && (
        <Section title="Histogram" note={`${formatValue(tensor.min)} to ${formatValue(tensor.max)}`}>
          <Histogram counts={histogram} />
        </Section>
      )}
      <Section
        title="Elements"
        note={slice.of > 1 ? <SliceChoice values={values} slice={slice} shape={tensor.shape} /> : undefined}
      >
        <SlicePicture slice={slice} least={toNumber(tensor.min ?? 0)} greatest={toNumber(tensor.max ?? 0)} />
        <Numbers slice={slice} />
      </Section>
    </>
  );
}

function Histogram({ counts }: { counts: readonly number[] }) {
  const most = Math.max(...counts, 1);
  return (
    <svg
      class="values-histogram"
      viewBox={`0 0 ${counts.length} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Histogram"
    >
      {counts.map((count, i) => {
        const height = count === 0 ? 0 : Math.max(1.5, (count / most) * 100);
        return (
          <rect key={i} x={i + 0.05} y={100 - height} width={0.9} height={height}>
            <title>{formatCount(count)}</title>
          </rect>
        );
      })}
    </svg>
  );
}

/** "[0, 3, :, :]": which matrix of the last two dimensions. */
function sliceText(index: number, shape: readonly number[]): string {
  const outer = shape.slice(0, -2);
  let left = index;
  const at: number[] = [];
  for (const size of [...outer].reverse()) {
    at.unshift(left % size);
    left = Math.floor(left / size);
  }
  return `[${[...at, ":", ":"].join(", ")}]`;
}

function SliceChoice({ values, slice, shape }: { values: ValueState; slice: WireSlice; shape: readonly number[] }) {
  const go = (to: number) => values.chooseSlice(Math.min(Math.max(to, 0), slice.of - 1));
  return (
    <span class="values-slices">
      <button class="pill" aria-label="Slice before" disabled={slice.index === 0} onClick={() => go(slice.index - 1)}>
        ‹
      </button>
      <code>{sliceText(slice.index, shape)}</code>
      <input
        type="range"
        aria-label="Slice"
        min={0}
        max={slice.of - 1}
        value={slice.index}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <button
        class="pill"
        aria-label="Slice after"
        disabled={slice.index === slice.of - 1}
        onClick={() => go(slice.index + 1)}
      >
        ›
      </button>
    </span>
  );
}

const isOdd = (element: WireNumber) => !Number.isFinite(element);

const kRows = 24;
const kColumns = 16;

/** The slice's upper left corner. */
function Numbers({ slice }: { slice: WireSlice }) {
  const width = Math.ceil(slice.columns / slice.column_step);
  const height = Math.ceil(slice.rows / slice.row_step);
  const rows = Array.from({ length: Math.min(height, kRows) }, (_, row) =>
    slice.elements.slice(row * width, row * width + Math.min(width, kColumns)),
  );
  const isCut = width > kColumns || height > kRows || slice.row_step > 1 || slice.column_step > 1;
  return (
    <>
      <div class="values-numbers">
        <table aria-label="Elements">
          <tbody>
            {rows.map((row, y) => (
              <tr key={y}>
                <th scope="row">{y * slice.row_step}</th>
                {row.map((element, x) => (
                  <td key={x} title={String(element)} class={isOdd(element) ? "removed" : undefined}>
                    {formatValue(element)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isCut && (
        <p class="dim">
          {formatCount(rows.length)} of {formatCount(slice.rows)} rows, {formatCount(Math.min(width, kColumns))} of{" "}
          {formatCount(slice.columns)} columns
          {(slice.row_step > 1 || slice.column_step > 1) &&
            `, every ${slice.row_step}th by every ${slice.column_step}th`}
        </p>
      )}
    </>
  );
}
