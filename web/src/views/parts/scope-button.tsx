// A small button beside a thing that makes it the scope: all figures are of it only then.
import { useApp } from "./app-context";
import type { Scope } from "../../lib/scope";
import { formatScope } from "../../lib/scope";

interface ScopeButtonProps {
  /** The thing in words: "this kernel". */
  of: string;
  change: Partial<Scope>;
}

/** Takes it out of the scope again where it is that already. */
export function ScopeButton({ of, change }: ScopeButtonProps) {
  const { scope } = useApp();
  const wanted = formatScope(change);
  const now = formatScope(scope.now.value);
  const isOn = Object.keys(wanted).every((key) => now[key] === wanted[key]);
  const none = Object.fromEntries(Object.keys(change).map((part) => [part, null]));
  return (
    <button
      class={isOn ? "scope-button on" : "scope-button"}
      aria-pressed={isOn}
      title={isOn ? `All figures are of ${of} only; click for all again` : `Scope to ${of}: all figures of it only`}
      aria-label={`Scope to ${of}`}
      onClick={(event) => {
        event.stopPropagation();
        scope.set(isOn ? none : change);
      }}
    >
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <circle cx="6" cy="6" r="3" />
        <path d="M6 0v4M6 8v4M0 6h4M8 6h4" />
      </svg>
    </button>
  );
}
