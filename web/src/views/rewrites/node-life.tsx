// A node's biography in this pass: every match that made, relabelled or removed it, with the rule; a click goes there.
import { stripAnsi } from "../../lib/ansi";
import { tellLife, type LifeEvent } from "../../lib/graph/pass-changes";
import type { PassModel } from "../../lib/graph/pass-model";
import { formatCount, nameOfPath } from "../../lib/text";
import { useRewrites } from "./context";

export function NodeLife({ node }: { node: number }) {
  const { graph } = useRewrites();
  const shown = graph.shown.value;
  if (shown === null) return null;
  const { loaded, state } = shown;
  const { model } = loaded;
  const events = tellLife(model, node);
  const last = events.findLast((event) => event.state <= state);
  return (
    <table class="life">
      <tbody>
        {events.map((event) => (
          <tr key={`${event.state}.${event.version}`} class={event === last ? "current" : ""}>
            <td class="number">
              <button class="link" onClick={() => graph.goToState(event.state)}>
                {formatCount(event.state)}
              </button>
            </td>
            <td class={event.what}>{sayWhat(model, node, event)}</td>
            <td>{sayDetail(model, event)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function sayWhat(model: PassModel, node: number, event: LifeEvent): string {
  if (event.what === "made") return event.state === 0 ? "in the input" : "made by";
  if (event.what === "merged") return `merged into #${model.mergedInto.at(node)}`;
  return event.what === "removed" ? "removed by" : "rewritten by";
}

function sayDetail(model: PassModel, event: LifeEvent) {
  const rule = model.ruleAt(event.state);
  const where = rule === undefined ? "" : `${nameOfPath(rule[0])}:${rule[1]}`;
  const label = event.version < 0 ? "" : stripAnsi(model.labels[model.versionLabel.at(event.version)] ?? "");
  return (
    <span title={rule?.[2] ?? undefined}>
      {where} <span class="dim">{label.split("\n").join(" ")}</span>
    </span>
  );
}
