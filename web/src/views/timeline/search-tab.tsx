// The events that the search found; a click shows one. Columns of their arguments can be chosen, and sorted by.
import { useSignal } from "@preact/signals";
import { formatArgument } from "../../lib/timeline/arguments";
import { argumentOf, argumentOrder } from "../../lib/timeline/event-order";
import { nearWords } from "../../lib/near-words";
import { kSlowest, quoteName } from "../../lib/timeline/event-search";
import { isSameEvent, type EventItem } from "../../lib/timeline/events";
import type { ArgumentInfo, Timeline } from "../../lib/timeline/timeline";
import { formatCount, formatPlural } from "../../lib/text";
import { Name } from "../parts/name";
import { useTimeline } from "./context";
import { Duration, Moment } from "../parts/figure";
import { KeyCap } from "../parts/key-cap";
import { Menu } from "../parts/menu";
import { Table, type Column } from "../parts/table";

/** Columns of arguments that are there without being chosen. */
const kUsualArguments = 4;

export function TimelineSearchTab({ shown }: { shown: Timeline }) {
  const timeline = useTimeline();
  const chosen = useSignal<readonly string[] | null>(null);
  const all = listArguments(shown);
  const hits = timeline.hits.value;
  if (timeline.find.value === "") return <HowToSearch example={all[0]} />;
  if (hits === null) return timeline.problem.value === null ? <p class="dim note">Searching</p> : null;
  if (hits.total === 0) return <NothingFound shown={shown} />;
  const show = (hit: EventItem) => {
    timeline.hit.value = hit;
    timeline.show(hit);
    timeline.tab.value = "search";
  };
  const found = all.filter(({ name }) => hits.items.some((hit) => argumentOf(hit, name) !== undefined));
  const names = chosen.value ?? found.slice(0, kUsualArguments).map(({ name }) => name);
  const columns: Column<EventItem>[] = [
    {
      id: "name",
      title: "Name",
      align: "left",
      namesOf: (hit) => [hit.label],
      show: (hit) => (
        <button class={classOfName(hit)} onClick={() => show(hit)}>
          <Name name={hit.label} />
        </button>
      ),
    },
    { id: "lane", title: "Lane", align: "left", isFixed: true, show: (hit) => shown.lanes[hit.lane]!.title },
    { id: "start", title: "Start", show: (hit) => <Moment ns={hit.start} /> },
    { id: "dur", title: "Duration", show: (hit) => <Duration ns={hit.dur} /> },
    ...all.filter(({ name }) => names.includes(name)).map(({ name }) => argumentColumn(name, hits.items)),
  ];
  const order = timeline.hitOrder;
  return (
    <>
      <p class="drawer-summary">
        {formatPlural(hits.total, "event")}{" "}
        {timeline.find.value.trim() === kSlowest
          ? "among the longest thousandth of their name, at least its longest"
          : `with “${timeline.find.value}”`}
        {hits.total > 0 && (
          <span>
            <kbd>Enter</kbd> in the search steps to the next, with <kbd>⇧</kbd> to the last
          </span>
        )}
        {all.length > 0 && <ArgumentMenu all={all} names={names} onChoose={(next) => (chosen.value = next)} />}
      </p>
      <Table
        columns={columns}
        rows={hits.items}
        keyOf={(hit) => `${hit.lane} ${hit.event}`}
        label="Events found"
        isCurrent={(hit) => isSameEvent(hit, timeline.selectedEvent.value)}
        sort={{
          column: order.value.by,
          descending: order.value.descending,
          by: (id) => {
            const isSame = id === order.value.by;
            order.value = { by: id, descending: isSame ? !order.value.descending : id !== "start" && id !== "name" };
          },
        }}
      />
      {hits.items.length < hits.total && (
        <p class="dim note">
          The first {formatCount(hits.items.length)} are listed; Enter in the search steps through all.
        </p>
      )}
    </>
  );
}

const kOffered = 5;

/** Names like the text, or like one of its words. */
function NothingFound({ shown }: { shown: Timeline }) {
  const timeline = useTimeline();
  const text = timeline.find.value.trim();
  const near = nearWords(text, shown.plain, kOffered);
  return (
    <div class="note">
      <p class="dim">No event has “{text}” in its name, its category or its arguments.</p>
      {near.length > 0 && (
        <p class="near-names">
          <span class="dim">There is</span>
          {near.map((name) => (
            <button key={name} class="link name" onClick={() => (timeline.find.value = quoteName(name))}>
              {name}
            </button>
          ))}
        </p>
      )}
      <HowToSearch example={listArguments(shown)[0]} />
    </div>
  );
}

function HowToSearch({ example }: { example: ArgumentInfo | undefined }) {
  return (
    <p class="dim note">
      <KeyCap command="page.search" /> searches names, categories and arguments, <KeyCap command="timeline.slowest" />{" "}
      finds the slowest of each name; what is found is highlighted in the lanes at any zoom. <code>dur&gt;1ms</code>{" "}
      {example !== undefined && (
        <>
          or <code>{example.unit === "" ? `${example.name}:value` : `${example.name}>1e6`}</code>{" "}
        </>
      )}
      asks for a duration or an argument.
    </p>
  );
}

/** The arguments of all lanes, those of the most events first. */
function listArguments({ lanes }: Timeline): ArgumentInfo[] {
  const byName = new Map<string, ArgumentInfo>();
  for (const { arguments: list } of lanes) {
    for (const { name, unit, events } of list) {
      byName.set(name, { name, unit, events: events + (byName.get(name)?.events ?? 0) });
    }
  }
  return [...byName.values()].sort((a, b) => b.events - a.events);
}

function argumentColumn(name: string, hits: readonly EventItem[]): Column<EventItem> {
  const isText = hits.some((hit) => typeof argumentOf(hit, name) === "string");
  return {
    id: argumentOrder(name),
    title: name,
    ...(isText ? { align: "left" as const } : {}),
    show: (hit) => {
      const argument = hit.arguments?.find((each) => each.name === name);
      return argument === undefined ? "" : <span title={String(argument.value)}>{formatArgument(argument)}</span>;
    },
  };
}

interface ArgumentMenuProps {
  all: readonly ArgumentInfo[];
  names: readonly string[];
  onChoose: (names: readonly string[]) => void;
}

function ArgumentMenu({ all, names, onChoose }: ArgumentMenuProps) {
  const open = useSignal(false);
  return (
    <Menu open={open} title="Choose columns of arguments" label="Columns">
      {all.map(({ name, events }) => (
        <label key={name} class="choice">
          <input
            type="checkbox"
            checked={names.includes(name)}
            onChange={(event) =>
              onChoose(event.currentTarget.checked ? [...names, name] : names.filter((other) => other !== name))
            }
          />
          <span>{name}</span> <span class="dim">{formatCount(events)}</span>
        </label>
      ))}
    </Menu>
  );
}

function classOfName({ isError }: EventItem): string {
  return isError ? "link name error" : "link name";
}
