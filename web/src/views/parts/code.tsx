// Source text with its keywords, strings, numbers and comments coloured.
import { tokenise, type Language } from "../../lib/highlight";

export function Code({ text, language }: { text: string; language: Language }) {
  return (
    <>
      {tokenise(text, language).map((token) =>
        token.kind === "plain" ? token.text : <span class={`code-${token.kind}`}>{token.text}</span>,
      )}
    </>
  );
}
