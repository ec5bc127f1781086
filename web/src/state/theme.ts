// The theme: what the system asks for, unless the user has chosen. The colours themselves are in styles/tokens.css.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { storedSignal } from "./stored";

export type ThemeChoice = "system" | "dark" | "light";

export interface ThemeState {
  choice: ReadonlySignal<ThemeChoice>;
  shown: ReadonlySignal<"dark" | "light">;
  /** system -> the other one -> the one the system has -> system. */
  turn(): void;
}

export function createTheme(): ThemeState {
  const query = matchMedia("(prefers-color-scheme: light)");
  const system = signal<"dark" | "light">(query.matches ? "light" : "dark");
  query.addEventListener("change", () => (system.value = query.matches ? "light" : "dark"));

  const choice = storedSignal<ThemeChoice>("theme", (v) => (v === "dark" || v === "light" ? v : "system"));
  const shown = computed(() => (choice.value === "system" ? system.value : choice.value));
  effect(() => {
    document.documentElement.dataset.theme = shown.value;
  });
  return {
    choice,
    shown,
    turn() {
      const other = system.value === "dark" ? "light" : "dark";
      choice.value = choice.value === "system" ? other : choice.value === other ? system.value : "system";
    },
  };
}
