// From a node to the part of the graph around it: its neighbourhood, all it is made from, all that is made from it,
// what lies between it and another.
import { isBodyHidden, kFirstRadius, turnBody, type Focus } from "../../lib/graph/arrangement";
import { useRewrites } from "./context";
import { KeyCap } from "../parts/key-cap";
import { Section } from "../parts/section";

export function FocusSection({ node }: { node: number }) {
  const { arrangement, graph } = useRewrites();
  const other = graph.nodeBefore.value;
  const model = graph.shown.value?.loaded.model;
  const state = graph.shown.value?.state ?? 0;
  const { focus } = arrangement.current.value;
  const offer = (title: string, command: string, wanted: Focus) => (
    <button
      class={JSON.stringify(focus) === JSON.stringify(wanted) ? "pill on" : "pill"}
      onClick={() => arrangement.set({ focus: wanted })}
    >
      {title} <KeyCap command={command} />
    </button>
  );
  return (
    <Section
      title="Show only"
      note={
        focus !== null && (
          <button class="link" onClick={() => arrangement.set({ focus: null })}>
            the whole graph again
          </button>
        )
      }
    >
      <div class="pills">
        {offer("around it", "focus.near", { kind: "near", node, radius: kFirstRadius })}
        {offer("its sources", "focus.up", { kind: "up", node })}
        {offer("its users", "focus.down", { kind: "down", node })}
        {other !== null &&
          other !== node &&
          model?.isBox(other, state) &&
          offer(`between it and ${model.kindAt(other, state)?.name ?? ""} #${other}`, "focus.between", {
            kind: "between",
            node,
            other,
          })}
        {(model?.kindAt(node, state)?.body ?? 0) > 0 && (
          <button class="pill" onClick={() => arrangement.set(turnBody(arrangement.current.peek(), node))}>
            {isBodyHidden(arrangement.current.value, node) ? "+ its body too" : "− without its body"}
          </button>
        )}
      </div>
    </Section>
  );
}
