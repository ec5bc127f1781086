// The numeric gap and the table of all values, the chosen one beside them.
import { formatCount, formatPlural } from "../../lib/text";
import { ListExport, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { Blank } from "../parts/blank";
import { Split } from "../parts/split";
import type { OpenView } from "../view";
import { nameOfBlock, nameOfGap } from "./columns";
import { createValues, type ValueState } from "./state";
import { TensorSide } from "./tensor-side";
import { formatValue, toNumber, type WireGap, type WireValues } from "./wire";
import "./values.css";

export const openValues: OpenView = (app) => {
  const values = createValues(app);
  return () => <Values values={values} />;
};

function Values({ values }: { values: ValueState }) {
  return (
    <WhenFetched fetched={values.list.value} waiting="Reading the values" broken="The values cannot be shown">
      {(data) => <Tables values={values} data={data} />}
    </WhenFetched>
  );
}

function Tables({ values, data }: PartProps) {
  if (data.values.length === 0 && data.iteration === 0) {
    return (
      <Blank
        title="No values were logged"
        lines={["Run the program with debug events on, and give vizd the debug buffer: --debug-buffer FILE"]}
      />
    );
  }
  return (
    <Split
      left={null}
      leftLabel=""
      middle={
        <div class="values scroll" data-scrolls tabIndex={0}>
          <Choices values={values} data={data} />
          <Gaps values={values} data={data} />
          <Logged values={values} data={data} />
        </div>
      }
      right={<TensorSide values={values} />}
      rightLabel="the value"
    />
  );
}

interface PartProps {
  values: ValueState;
  data: WireValues;
}

/** The iteration, and what it is compared with, where there is more than one of either. */
function Choices({ values, data }: PartProps) {
  const iterations = Math.max(...data.blocks.map((block) => block.iterations));
  const others = values.others.value;
  const shown = values.shown.value;
  if (iterations < 2 && others.length === 0) return null;
  const at = values.iteration.value;
  const go = (to: number) => values.chooseIteration(Math.min(Math.max(to, 0), iterations - 1));
  return (
    <header class="values-choices">
      {iterations > 1 && (
        <span class="values-slices">
          <span class="dim">Iteration</span>
          <button class="pill" aria-label="Iteration before" disabled={at === 0} onClick={() => go(at - 1)}>
            ‹
          </button>
          <input
            class="values-iteration"
            type="number"
            aria-label="Iteration"
            min={0}
            max={iterations - 1}
            value={at}
            onChange={(event) => go(Math.trunc(Number(event.currentTarget.value)))}
          />
          <button class="pill" aria-label="Iteration after" disabled={at >= iterations - 1} onClick={() => go(at + 1)}>
            ›
          </button>
          <span class="dim">of {formatCount(iterations)}, from 0</span>
        </span>
      )}
      <label>
        <span class="dim">Compare with</span>
        <select
          class="choice"
          aria-label="Compare with"
          value={values.against.value?.name ?? ""}
          onChange={(event) => values.compareWith(event.currentTarget.value)}
        >
          <option value="">the reference</option>
          {iterations > 1 && shown !== null && <option value={shown.name}>its first iteration</option>}
          {others.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}

/** A link to the graph, where the record tells the node. */
function GrownNode({ values, gap }: { values: ValueState; gap: WireGap }) {
  if (gap.node === "" || gap.op === "") return <code>{nameOfGap(gap)}</code>;
  return (
    <button class="link mono" onClick={() => values.goToGraph(gap.node)}>
      {gap.node}
    </button>
  );
}

const HowToCompare = () => (
  <p class="dim note">
    To compare what each event logged, give the reference's tensors, a .npy for each debug handle: --reference-tensors
    FOLDER
  </p>
);

function Gaps({ values, data }: PartProps) {
  if (data.gaps.length === 0) {
    return (
      <section>
        <h2>Numeric gap</h2>
        {data.has_reference ? <p class="dim note">There is nothing that both logged.</p> : <HowToCompare />}
        <NotCompared data={data} />
      </section>
    );
  }
  const list = values.gapList;
  const grown = data.gaps.filter((gap) => gap.is_first_grown);
  const worst = data.gaps.reduce((a, b) => (toNumber(b.relative_error) > toNumber(a.relative_error) ? b : a));
  return (
    <section>
      <h2>
        Numeric gap <span class="dim">{formatPlural(data.gaps.length, "output")} compared</span>
        <ListExport list={list} name="numeric gap" />
      </h2>
      <p class="note">
        {grown.length === 0 && toNumber(worst.relative_error) === 0 ? (
          "All of them are equal."
        ) : grown.length === 0 ? (
          <>
            Nowhere does the error grow beyond rounding. It is greatest at <code>{nameOfGap(worst)}</code>:{" "}
            {formatValue(worst.relative_error)} of the reference.
          </>
        ) : (
          grown.map((gap) => (
            <span class="values-grown" key={`${gap.block}.${gap.instruction}.${gap.output}`}>
              The error first grows at <GrownNode values={values} gap={gap} />: {formatValue(gap.relative_error)} of{" "}
              {values.against.value === null ? "the reference" : "the other run"}
              {grown.length > 1 && <span class="dim"> · {nameOfBlock(data.blocks[gap.block]!)}</span>}
            </span>
          ))
        )}
      </p>
      <ListTable
        list={list}
        label="Numeric gap"
        isCurrent={(row) => row.value !== null && row.value === values.chosen.value}
        onRow={(row) => row.value !== null && values.choose(row.value)}
      />
      {!data.has_reference && <HowToCompare />}
      <NotCompared data={data} />
    </section>
  );
}

function NotCompared({ data }: { data: WireValues }) {
  if (data.not_compared.length === 0) return null;
  return (
    <details class="note">
      <summary>{formatPlural(data.not_compared.length, "output")} not compared</summary>
      {data.not_compared.map((why) => (
        <p key={why}>{why}</p>
      ))}
    </details>
  );
}

function Logged({ values, data }: PartProps) {
  if (data.values.length === 0) return <p class="dim note">Nothing was logged in this iteration.</p>;
  return (
    <section>
      <h2>
        Logged values <span class="dim">{formatPlural(data.values.length, "tensor")}</span>
        <ListExport list={values.loggedList} name="logged values" />
      </h2>
      <ListTable
        list={values.loggedList}
        label="Logged values"
        onRow={(row) => values.choose(values.loggedList.placeOf(row))}
      />
    </section>
  );
}
