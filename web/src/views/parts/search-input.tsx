// The text of a view's search: `/` leads into it, Enter steps through what it finds, Escape leads out and keeps what
// was found.
import { useRef } from "preact/hooks";
import { useCommand } from "./app-context";

interface SearchInputProps {
  placeholder: string;
  label: string;
  text: string;
  onText: (text: string) => void;
  onStep: (by: 1 | -1) => void;
}

/** Gives what leads into it, for other commands that should. */
export function useSearchInput() {
  const input = useRef<HTMLInputElement>(null);
  const focus = () => {
    input.current?.focus();
    input.current?.select();
  };
  useCommand("page.search", focus);
  return { input, focus };
}

type Input = ReturnType<typeof useSearchInput>["input"];

export function SearchInput(props: SearchInputProps & { input: Input }) {
  const { input, placeholder, label, text, onText, onStep } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") input.current?.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <input
      ref={input}
      type="text"
      placeholder={placeholder}
      aria-label={label}
      spellcheck={false}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
