// The words that rows of a table have to hold: `/` leads into it; Enter and Escape lead out, and keep what was written.
import { KeyCap } from "./key-cap";
import { useSearchInput } from "./search-input";

interface FilterBoxProps {
  /** Names the text that the words are looked for in: "Filter by name". */
  hint: string;
  label: string;
  text: string;
  onText: (text: string) => void;
}

export function FilterBox({ hint, label, text, onText }: FilterBoxProps) {
  const { input } = useSearchInput();
  return (
    <span class="filter-box">
      <input
        ref={input}
        type="text"
        placeholder={hint}
        aria-label={label}
        spellcheck={false}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" || event.key === "Enter") input.current?.blur();
          else return;
          event.stopPropagation();
        }}
      />
      <KeyCap command="page.search" />
    </span>
  );
}
