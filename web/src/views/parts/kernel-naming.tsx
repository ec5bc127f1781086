// What names a kernel of a graph's replay: its captured launch, how sure that is and why; and the runs of the same node
// in other replays, to go to.
import { formatDuration, formatPlural } from "../../lib/text";
import { linkToEvent, type LinkedEvent } from "../../lib/links";
import { linkToGraphNodes, sayLayer, type WireNaming } from "../../lib/replays";
import { useApp } from "./app-context";
import { Facts } from "./facts";
import { FoundMark } from "./found-mark";
import { KeyCap } from "./key-cap";
import { LocationLink } from "./location-link";
import { RunDots } from "./run-dots";

const kShownFrames = 12;

export function KernelNaming({ naming }: { naming: WireNaming }) {
  return (
    <div class="kernel-naming">
      <p>
        <FoundMark found={naming.found} /> <span class="dim">{naming.why}</span>
      </p>
      <Facts facts={factsOf(naming)} />
      <Launch naming={naming} />
      {naming.missing > 0 && (
        <p class="lost-work">
          {formatPlural(naming.missing, "captured launch", "captured launches")} of this replay left no record: the
          profiler lost what ran, so the hole in the lane is not idleness.
        </p>
      )}
    </div>
  );
}

function factsOf(naming: WireNaming): [string, preact.ComponentChildren][] {
  const facts: [string, preact.ComponentChildren][] = [
    ["node", <NodeLink key="n" naming={naming} />],
    ["replay", `${naming.replay}; its graph ran ${formatPlural(naming.of_graph, "time")}`],
  ];
  if (naming.step !== null) facts.push(["step", `${naming.step.step}: ${naming.step.phase ?? naming.step.name}`]);
  const about = naming.found === "guessed" ? "about " : "";
  if (naming.label !== null) facts.push(["annotation", naming.label]);
  if (naming.operator !== null) facts.push(["operator", about + naming.operator]);
  const layer = sayLayer(naming);
  if (layer !== "") facts.push(["layer", about + layer]);
  if (naming.module !== null) facts.push(["module", about + naming.module]);
  if (naming.input_dims !== null) facts.push(["shapes", <code key="d">{naming.input_dims}</code>]);
  if (naming.input_types !== null) facts.push(["types", <code key="t">{naming.input_types}</code>]);
  if (naming.capture !== null) facts.push(["capture", naming.capture === "" ? "in this trace" : naming.capture]);
  return facts;
}

function NodeLink({ naming: { node, nodes, graph } }: { naming: WireNaming }) {
  const { place } = useApp();
  const follow = () => {
    const { view, keys } = linkToGraphNodes("", graph);
    place.follow({ view, keys: { ...keys, graphnode: `${graph}.${node}` } });
  };
  return (
    <button class="link" onClick={follow}>
      {node} of {nodes} in graph {graph}
    </button>
  );
}

/** What surrounded the captured launch on the host, the innermost first. */
function Launch({ naming: { operators, stack } }: { naming: WireNaming }) {
  return (
    <>
      {operators !== null && operators.length > 1 && <p class="dim naming-operators">{operators.join(" › ")}</p>}
      {stack !== null && stack.length > 0 && (
        <details>
          <summary>Stack of the captured launch, {formatPlural(stack.length, "frame")}</summary>
          <ol class="naming-stack">
            {[...stack].reverse().map((frame, at) => (
              <li key={at} class={at < kShownFrames ? undefined : "dim"}>
                <Frame text={frame} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** "path/file.py(12): forward": where its file is told whole, a link that opens it. */
function Frame({ text }: { text: string }) {
  const parts = /^(\/.+)\((\d{1,9})\): (.*)$/.exec(text);
  if (parts === null) return <code>{text}</code>;
  return (
    <>
      <LocationLink location={[parts[1]!, Number(parts[2]), null]} /> <code>{parts[3]}</code>
    </>
  );
}

/** The other runs of its node: the one before, the one after, the slowest, and all of them as dots. */
interface SameNodeProps {
  naming: WireNaming;
  now: { lane: string; index: number } | null;
  /** The commands that lead to the three, where the view has them. */
  keys?: { before: string; after: string; slowest: string };
}

export function SameNode({ naming, now, keys }: SameNodeProps) {
  const { place } = useApp();
  const go = (event: LinkedEvent) => place.follow(linkToEvent(event));
  const { previous, next, slowest } = naming;
  if (naming.runs < 2) return <p class="dim note">Its graph ran once: there is no other run to compare it with.</p>;
  return (
    <>
      <RunDots drawn={naming.drawn} now={now} onChoose={go} />
      <p class="same-node">
        {previous !== null && (
          <button class="link" onClick={() => go(previous)}>
            in the replay before, {formatDuration(previous.dur_ns)}{" "}
            {keys !== undefined && <KeyCap command={keys.before} />}
          </button>
        )}{" "}
        {next !== null && (
          <button class="link" onClick={() => go(next)}>
            in the replay after, {formatDuration(next.dur_ns)} {keys !== undefined && <KeyCap command={keys.after} />}
          </button>
        )}{" "}
        <button class="link" onClick={() => go(slowest)}>
          in the slowest, {formatDuration(slowest.dur_ns)} {keys !== undefined && <KeyCap command={keys.slowest} />}
        </button>
      </p>
    </>
  );
}
