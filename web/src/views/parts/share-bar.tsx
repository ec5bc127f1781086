// A share as a bar in a row of a table (styles/parts.css): rows are compared by it, and its figure stands beside it.

/** part: its class of work, for the colour. */
export function ShareBar({ of, part = "compute" }: { of: number; part?: string }) {
  return (
    <span class="share-bar" aria-hidden="true">
      {of > 0 && <span class={`part-${part}`} style={{ width: `${100 * Math.min(of, 1)}%` }} />}
    </span>
  );
}
