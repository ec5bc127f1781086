// Settings of a person for every capture, remembered from one visit to the next.
import type { Signal } from "@preact/signals";
import { readEditorChoice, type EditorChoice } from "../lib/editor-link";
import { storedSignal } from "./stored";

export interface SettingsState {
  /** In what lines of source open. */
  editor: Signal<EditorChoice>;
}

export function createSettings(): SettingsState {
  return { editor: storedSignal("editor", readEditorChoice) };
}
