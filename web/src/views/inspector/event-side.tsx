// The chosen event: its iterations, the nodes that it stands for, where they come from, and the values it logged.
import type { ComponentChildren } from "preact";
import { linkToStretch } from "../../lib/devices";
import { inNanoseconds } from "../../lib/etdump/records";
import type { WireBlock, WireEvent, WireValue } from "../../lib/etdump/wire";
import type { Link } from "../../lib/place";
import { formatCount } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { BlockTime } from "../parts/block-time";
import { CopyButton } from "../parts/copy-button";
import { Facts } from "../parts/facts";
import { KeyCap } from "../parts/key-cap";
import { Section } from "../parts/section";
import { moduleOfNode } from "./arrange";
import type { InspectorState } from "./state";

/** Where an iteration of the chosen event is on the timeline; null where nothing tells. */
export function linkToIteration(inspector: InspectorState, iteration: number): Link | null {
  const event = inspector.chosen.value;
  const block = inspector.block.value;
  const start = event?.start?.[iteration];
  const raw = event?.raw?.[iteration];
  if (block === null || start === undefined || raw === undefined || event?.is_delegated === true) return null;
  const from_ns = inNanoseconds(start - inspector.origin.value, block.source_unit) ?? start - inspector.origin.value;
  const dur_ns = inNanoseconds(raw, block.unit) ?? raw;
  return linkToStretch({ from_ns: Math.round(from_ns), to_ns: Math.round(from_ns + Math.max(dur_ns, 1)) });
}

export function EventSide({ inspector }: { inspector: InspectorState }) {
  const event = inspector.chosen.value;
  const block = inspector.block.value!;
  return (
    <div class="inspector-side scroll" data-scrolls tabIndex={0}>
      {event === null ? (
        <p class="dim note">Choose an event to see its iterations, the nodes it stands for and the values it logged.</p>
      ) : (
        <>
          <Chosen inspector={inspector} event={event} block={block} />
          {(event.raw?.length ?? 0) > 1 && <Iterations inspector={inspector} event={event} block={block} />}
          <Nodes event={event} />
          {event.debug_data !== null && (
            <Section title="Values" note={formatCount(event.debug_data.length)}>
              <Values values={event.debug_data} />
            </Section>
          )}
        </>
      )}
    </div>
  );
}

function Chosen({ inspector, event, block }: { inspector: InspectorState; event: WireEvent; block: WireBlock }) {
  const { place } = useApp();
  const link = linkToIteration(inspector, 0);
  const facts: [string, ComponentChildren][] = [];
  if (event.instruction !== null) facts.push(["instruction", String(event.instruction)]);
  if (event.delegate !== null) facts.push(["delegate", event.delegate]);
  if (event.occurrence > 0) facts.push(["pass of the loop", String(event.occurrence + 1)]);
  facts.push(["mean", <BlockTime key="m" value={event.avg} block={block} />]);
  if (block.iterations > 1) {
    facts.push(["median", <BlockTime key="h" value={event.p50} block={block} />]);
    facts.push(["first iteration", <BlockTime key="f" value={event.raw?.[0] ?? null} block={block} />]);
  }
  if (event.debug_handles !== null) facts.push(["debug handles", event.debug_handles.join(", ")]);
  const metadata = [...new Set(event.delegate_metadata ?? [])];
  if (metadata.length > 0) facts.push(["metadata", metadata.join("\n")]);
  return (
    <Section title="Event" note={<CopyButton text={() => event.name} label="the name" />}>
      <p class="inspector-title">{event.name}</p>
      <Facts facts={facts} />
      {link !== null && (
        <p>
          <button class="link" onClick={() => place.follow(link)}>
            its first iteration on the timeline <KeyCap command="inspector.timeline" />
          </button>
        </p>
      )}
    </Section>
  );
}

/** A bar an iteration, the cold first one apart; a click goes to it on the timeline. */
function Iterations({ inspector, event, block }: { inspector: InspectorState; event: WireEvent; block: WireBlock }) {
  const { place } = useApp();
  const raw = event.raw!;
  const most = Math.max(...raw, Number.MIN_VALUE);
  const follow = (iteration: number) => {
    const link = linkToIteration(inspector, iteration);
    if (link !== null) place.follow(link);
  };
  const note =
    raw.length < block.iterations
      ? `the first ${formatCount(raw.length)} of ${formatCount(block.iterations)}`
      : formatCount(raw.length);
  return (
    <Section title="Iterations" note={note}>
      <div class="inspector-iterations">
        {raw.map((value, at) => (
          <button
            key={at}
            class={at === 0 ? "cold" : ""}
            title={`iteration ${at}: ${value} ${block.unit}${at === 0 ? " (the first, cold)" : ""}`}
            aria-label={`Iteration ${at}: ${value} ${block.unit}`}
            onClick={() => follow(at)}
          >
            <span style={{ height: `${Math.max((value / most) * 100, 1)}%` }} />
          </button>
        ))}
      </div>
      <p class="dim">
        longest <BlockTime value={most} block={block} />
      </p>
    </Section>
  );
}

function Nodes({ event }: { event: WireEvent }) {
  const nodes = Object.keys(event.stack_traces);
  if (nodes.length === 0) return null;
  return (
    <Section title="Nodes" note={event.is_approximate ? "of the whole call" : formatCount(nodes.length)}>
      <ul class="inspector-nodes">
        {nodes.map((node) => (
          <li key={node}>
            <details>
              <summary>
                {node.replace(/_$/, "")} <span class="dim">{moduleOfNode(event, node)}</span>
              </summary>
              <pre>
                {event.stack_traces[node]?.replace(/^\n+|\n+$/g, "") ?? "The program does not say where it comes from."}
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Values({ values }: { values: readonly WireValue[] }) {
  return (
    <ul class="inspector-values">
      {values.map((value, at) => (
        <li key={at}>
          <ValueText value={value} />
        </li>
      ))}
    </ul>
  );
}

function ValueText({ value }: { value: WireValue }) {
  if (Array.isArray(value)) return <Values values={value} />;
  if (value === null || typeof value !== "object") return <code>{String(value)}</code>;
  const figure = (n: number | null) => (n === null ? "none" : String(Number(n.toPrecision(5))));
  return (
    <>
      <code>
        {value.dtype} [{value.shape.join(", ")}]
      </code>{" "}
      <span class="dim">
        from {figure(value.min)} to {figure(value.max)}, mean {figure(value.mean)}
      </span>
      {value.nan + value.inf > 0 && (
        <strong class="inspector-grown">
          {" "}
          {formatCount(value.nan)} NaN, {formatCount(value.inf)} infinite
        </strong>
      )}
      <br />
      <span class="dim">{value.first.map((n) => (typeof n === "string" ? n : figure(n))).join(", ")}…</span>
    </>
  );
}
