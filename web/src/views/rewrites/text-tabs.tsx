// The two long texts: the source of the context's program, and the graph on screen as the compiler prints it.
import { useEffect } from "preact/hooks";
import { languageOf, type Language } from "../../lib/highlight";
import { formatCount } from "../../lib/text";
import type { Fetched } from "../../state/fetched";
import { useRewrites } from "./context";
import { CopyButton } from "../parts/copy-button";
import { LongText } from "../parts/long-text";

export function SourceTab() {
  const { detail } = useRewrites();
  useEffect(() => detail.wantProgram(), [detail]);
  const fetched = detail.program.value;
  const program = fetched.value?.data;
  return (
    <Text
      fetched={fetched}
      title={program === undefined ? "Source" : `${program.device} · ${program.language}`}
      text={program?.source}
      language={languageOf(program?.language ?? "")}
      none="This context made no program: its graph is under Text."
    />
  );
}

export function TextTab() {
  const { detail, graph } = useRewrites();
  useEffect(() => detail.wantText(), [detail]);
  const fetched = detail.text.value;
  const state = graph.shown.value?.state ?? 0;
  return (
    <Text
      fetched={fetched}
      title={state === 0 ? "The input graph" : `The graph after match ${formatCount(state)}`}
      text={fetched.value?.data}
      language="plain"
      none="No pass is open."
    />
  );
}

interface TextProps {
  fetched: Fetched<unknown>;
  title: string;
  text: string | undefined;
  language: Language;
  none: string;
}

function Text({ fetched, title, text, language, none }: TextProps) {
  if (fetched.problem !== null) return <p class="removed note">{fetched.problem.message}</p>;
  if (fetched.wish === null) return <p class="dim note">{none}</p>;
  if (text === undefined) return <p class="dim note">…</p>;
  return (
    <div class={`text-tab ${fetched.value?.wish === fetched.wish ? "" : "stale"}`}>
      <header class="section-head">
        <h2>{title}</h2>
        <CopyButton text={() => text} label="the text" />
      </header>
      <LongText text={text} language={language} />
    </div>
  );
}
