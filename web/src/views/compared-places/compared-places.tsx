// Two servers' runs place by place: how long a decode step takes in each, what changed layer by layer, and below the
// places of their steps side by side.
import { formatChange, formatPercent, toneOf } from "../../lib/comparison";
import { linkToEvent } from "../../lib/links";
import { sayLayer, termsOf } from "../../lib/replays";
import { formatCount, formatDuration, formatPlural } from "../../lib/text";
import type { OpenView } from "../view";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { KeyCap } from "../parts/key-cap";
import { ListExport, ListFilter, ListTable, useListCommands, WhenFetched } from "../parts/list-view/list-view";
import { PairChoice } from "../parts/pair-choice";
import { phasesOf, sumLayers, type ComparedLayer } from "./layers";
import { createPlaces, type PlacesState } from "./state";
import type { WireComparedPlaces } from "./wire";
import "./compared-places.css";

export const openComparedPlaces: OpenView = (app) => {
  const state = createPlaces(app);
  return () => <ComparedPlaces state={state} />;
};

function ComparedPlaces({ state }: { state: PlacesState }) {
  useListCommands(state.list, { previous: "comparedPlaces.previous", next: "comparedPlaces.next" });
  useCommand("comparedPlaces.swap", state.swap);
  useCommand("comparedPlaces.before", useGoTo(state, "before"));
  useCommand("comparedPlaces.after", useGoTo(state, "after"));
  if (state.pair.value === null)
    return (
      <Blank
        title="There is nothing to compare with"
        lines={["Open a second trace: name both on the command line.", "  vizd before.json.gz after.json.gz"]}
      />
    );
  return (
    <div class="compared-places">
      <header class="places-tools">
        <PairChoice compared={state} command="comparedPlaces.swap" />
        <PhaseChoice state={state} />
      </header>
      <WhenFetched fetched={state.fetched.value} waiting="Comparing steps" broken="The steps cannot be compared">
        {(data) => <Places state={state} data={data} />}
      </WhenFetched>
    </div>
  );
}

/** To the longest run of the chosen place on that side's timeline. */
function useGoTo(state: PlacesState, side: "before" | "after") {
  const { place } = useApp();
  return () => {
    const row = state.list.chosen.value;
    const run = side === "before" ? row?.a_longest : row?.b_longest;
    const capture = state.pair.value?.[side].name;
    if (run != null && capture !== undefined) place.follow({ ...linkToEvent(run), capture });
  };
}

function PhaseChoice({ state }: { state: PlacesState }) {
  const { place } = useApp();
  const phases = phasesOf(state.fetched.value.value?.data.rows ?? []);
  if (phases.length < 2) return null;
  return (
    <label>
      <span class="dim">steps of</span>{" "}
      <select
        class="choice"
        value={state.phase.value ?? ""}
        onChange={({ currentTarget: { value } }) => place.adjust({ "places.phase": value === "" ? null : value })}
      >
        <option value="">every phase</option>
        {phases.map((phase) => (
          <option key={phase} value={phase}>
            {phase}
          </option>
        ))}
      </select>
    </label>
  );
}

function Places({ state, data }: { state: PlacesState; data: WireComparedPlaces }) {
  const { list } = state;
  if (data.rows.length === 0)
    return (
      <p class="dim note">
        No step of a server is told in {data.a.steps === 0 ? "A" : "B"}: nothing has a place in one.
      </p>
    );
  const others = list.rows.value.filter(({ same_name }) => !same_name).length;
  return (
    <div class="scroll" data-scrolls tabIndex={0}>
      <Verdict data={data} />
      <Layers state={state} rows={data.rows} />
      <div class="places-tools">
        <ListFilter list={list} hint="Filter: layer:3 module:mlp state:added, or by name" label="Filter places" />
        <span class="dim">
          {formatPlural(list.rows.value.length, "place")}
          {others > 0 && <> · {formatCount(others)} with another kernel</>}
          {data.rows.length < data.all && <> · of {formatCount(data.all)} those that changed most</>}
        </span>
        <span class="dim">
          longest run <KeyCap command="comparedPlaces.before" /> before <KeyCap command="comparedPlaces.after" /> after
        </span>
        <ListExport list={list} name="nodes compared" />
      </div>
      <ListTable list={list} label="Places of a step" nothing="No place holds all of that." />
    </div>
  );
}

function Verdict({ data: { a, b } }: { data: WireComparedPlaces }) {
  if (a.decode_ns === null || b.decode_ns === null)
    return (
      <p class="places-verdict dim">
        {a.steps} steps before, {b.steps} after; {a.decode_ns === null ? "A" : "B"} has no decode step to be held
        against the other's.
      </p>
    );
  const change_ns = b.decode_ns - a.decode_ns;
  return (
    <p class="places-verdict">
      <strong class={toneOf(change_ns)}>{formatPercent((100 * change_ns) / a.decode_ns)} a decode step</strong>{" "}
      {formatDuration(a.decode_ns)} → {formatDuration(b.decode_ns)}, the median to the next step{" "}
      <span class="dim">
        · of {formatPlural(a.steps, "step")} and {b.steps}
      </span>
    </p>
  );
}

/** A column each: how much more or less a layer takes a step. A click leaves its places, and another one all again. */
function Layers({ state, rows }: { state: PlacesState; rows: WireComparedPlaces["rows"] }) {
  const phase = state.phase.value ?? phasesOf(rows)[0] ?? null;
  const layers = sumLayers(rows.filter((row) => row.phase === phase));
  if (layers.length === 0) return null;
  const most = layers.reduce((longest, { a_ns, b_ns }) => Math.max(longest, Math.abs(b_ns - a_ns)), 1);
  const sum = (of: (layer: ComparedLayer) => number) => layers.reduce((all, layer) => all + of(layer), 0);
  const [before, after] = [sum(({ a_ns }) => a_ns), sum(({ b_ns }) => b_ns)];
  return (
    <figure class="places-layers">
      <figcaption>
        <b>Layers of a {phase} step</b>{" "}
        <span class="dim">
          {formatDuration(before)} → {formatDuration(after)}, {formatChange(after - before)}; up is slower
        </span>
      </figcaption>
      <div class="places-columns">
        {layers.map((layer) => (
          <LayerColumn key={sayLayer(layer)} state={state} layer={layer} most_ns={most} />
        ))}
      </div>
    </figure>
  );
}

function LayerColumn({ state, layer, most_ns }: { state: PlacesState; layer: ComparedLayer; most_ns: number }) {
  const { layer_index, piece, a_ns, b_ns } = layer;
  const change_ns = b_ns - a_ns;
  const term = layer_index === null ? `piece:${piece}` : `layer:${layer_index}`;
  const isChosen = termsOf(state.list.text.value).includes(term);
  const side = change_ns > 0 ? "bottom" : "top";
  return (
    <button
      class={isChosen ? "places-layer on" : "places-layer"}
      aria-pressed={isChosen}
      title={`${sayLayer(layer)}: ${formatDuration(a_ns)} → ${formatDuration(b_ns)} a step, ${formatChange(change_ns)}`}
      onClick={() => state.list.setText(isChosen ? "" : term)}
    >
      <span class="places-change">
        <i class={toneOf(change_ns)} style={{ height: `${(Math.abs(change_ns) / most_ns) * 50}%`, [side]: "50%" }} />
      </span>
      <span class="dim">{layer_index ?? piece}</span>
    </button>
  );
}
