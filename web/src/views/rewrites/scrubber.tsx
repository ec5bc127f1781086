// Under the graph: step through the matches of the pass by button, key or strip, or let them play.
import { formatCount, formatDuration, nameOfPath } from "../../lib/text";
import { useCommand } from "../parts/app-context";
import { useRewrites } from "./context";
import { KeyCap } from "../parts/key-cap";
import { MatchStrip } from "./match-strip";
import { usePlayer } from "./use-player";

export function Scrubber() {
  const { graph, diff, spot } = useRewrites();
  const shown = graph.shown.value;
  const go = (state: number) => graph.goToState(state);
  const move = (by: number) => go(spot.match.peek() + by);
  const last = (shown?.loaded.model.stateCount ?? 1) - 1;
  const tenth = Math.max(Math.round(last / 10), 1);
  const player = usePlayer(last);

  useCommand("match.previous", () => move(-1));
  useCommand("match.next", () => move(1));
  useCommand("match.back", () => move(-tenth));
  useCommand("match.ahead", () => move(tenth));
  useCommand("match.first", () => go(0));
  useCommand("match.last", () => go(last));
  useCommand("match.previousTouching", () => go(graph.findTouching(-1) ?? spot.match.peek()));
  useCommand("match.nextTouching", () => go(graph.findTouching(1) ?? spot.match.peek()));
  useCommand("match.play", player.turn);
  if (shown === null || last === 0) return null;
  return (
    <div class="scrubber">
      <div class="scrubber-row">
        <button class="cap" aria-label="Previous match" title="Previous match (←)" onClick={() => move(-1)}>
          ◀
        </button>
        <button class="cap" aria-label="Next match" title="Next match (→)" onClick={() => move(1)}>
          ▶
        </button>
        <button class="cap" aria-pressed={player.plays} title="Play (K)" onClick={player.turn}>
          {player.plays ? "stop" : "play"}
        </button>
        <MatchLine />
        <button
          class="cap"
          title="Mark this match, to compare with it (M)"
          aria-label="Mark this match"
          aria-pressed={diff.isMarkHere.value && diff.mark.value?.state === shown.state}
          onClick={diff.setMark}
        >
          ⚑
        </button>
        {graph.node.value !== null && (
          <button class="quiet touching" onClick={() => go(graph.findTouching(1) ?? shown.state)}>
            next match touching the selection <KeyCap command="match.nextTouching" />
          </button>
        )}
      </div>
      <MatchStrip />
    </div>
  );
}

/** The match in a line: number, rule, size, time. */
function MatchLine() {
  const { graph, errors } = useRewrites();
  const { loaded, state, changes } = graph.shown.value!;
  const error = errors.value.get(state);
  const { model } = loaded;
  const rule = model.ruleAt(state);
  if (rule === undefined) return <span class="mono dim">0 · the input graph</span>;
  const dur_ns = model.durationAt(state);
  return (
    <span class="mono match-line" title={rule[2] ?? undefined}>
      {formatCount(state)} · {nameOfPath(rule[0])}:{rule[1]} · <span class="made">+{model.made[state]}</span>{" "}
      <span class="removed">−{model.removed[state]}</span>
      {changes.rewritten.size > 0 && (
        <span class="rewritten" title="Nodes that went on with another label">
          {" "}
          ~{changes.rewritten.size}
        </span>
      )}
      {dur_ns !== null && ` · ${formatDuration(dur_ns)}`}
      {error !== undefined && (
        <span class="error-mark" title={error}>
          {" "}
          ✕ raised
        </span>
      )}
    </span>
  );
}
