// A name of any length: a few lines of it, and all of it when asked for.
import { useSignal } from "@preact/signals";
import { stripAnsi } from "../../lib/ansi";
import { AnsiText } from "../parts/ansi-text";

/** Longer ones would push what follows out of sight. */
const kMostLetters = 200;

export function LongName({ text }: { text: string }) {
  const isWhole = useSignal(false);
  const plain = stripAnsi(text);
  if (plain.length <= kMostLetters) {
    return (
      <span>
        <AnsiText text={text} />
      </span>
    );
  }
  return (
    <span class="long-name">
      {isWhole.value ? <AnsiText text={text} /> : `${plain.slice(0, kMostLetters)}…`}{" "}
      <button class="link" aria-expanded={isWhole.value} onClick={() => (isWhole.value = !isWhole.value)}>
        {isWhole.value ? "less" : `more: ${plain.length.toLocaleString("en-US")} characters`}
      </button>
    </span>
  );
}
