// The marked state in words: where it is, if not here.
import { formatCount } from "../../lib/text";
import { AnsiText } from "../parts/ansi-text";
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";

export function MarkName() {
  const { session } = useApp();
  const { diff } = useRewrites();
  const mark = diff.mark.value;
  const contexts = session.contexts.value;
  if (mark === null || contexts === null) return null;
  const context = contexts.contexts[mark.context];
  const name = mark.state === 0 ? "the input" : `match ${formatCount(mark.state)}`;
  if (diff.isMarkHere.value) return <>{name}</>;
  return (
    <>
      {name} of <AnsiText text={context?.name ?? ""} /> ›{" "}
      {contexts.pass_names[context?.passes.name[mark.pass] ?? -1] ?? ""}
    </>
  );
}
