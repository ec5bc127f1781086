// The words that rows have to hold.
import { useRef } from "preact/hooks";
import { useCommand } from "../parts/app-context";
import { KeyCap } from "../parts/key-cap";
import type { KernelState } from "./state";

export function KernelFilter({ kernels, hint }: { kernels: KernelState; hint: string }) {
  const input = useRef<HTMLInputElement>(null);
  useCommand("page.search", () => {
    input.current?.focus();
    input.current?.select();
  });
  return (
    <span class="kernels-filter">
      <input
        ref={input}
        type="text"
        placeholder={hint}
        aria-label="Filter kernels"
        spellcheck={false}
        value={kernels.text.value}
        onInput={(event) => kernels.setText(event.currentTarget.value)}
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
