// The page where there is nothing to show: why, and what to do.
import type { ComponentChildren } from "preact";

interface BlankProps {
  title: string;
  lines?: readonly string[];
  tone?: "calm" | "broken";
  /** Long work under way: a bar that fills. */
  progress?: { done: number; of: number } | null;
  children?: ComponentChildren;
}

/** Lines that start with two spaces are commands or locations. */
export function Blank({ title, lines = [], tone = "calm", progress = null, children }: BlankProps) {
  return (
    <div class={`blank ${tone}`} role={tone === "broken" ? "alert" : "status"}>
      <h2>{title}</h2>
      {lines.map((line, i) => (line.startsWith("  ") ? <pre key={i}>{line.trim()}</pre> : <p key={i}>{line}</p>))}
      {children}
      {progress !== null && <progress value={progress.done} max={Math.max(progress.of, 1)} aria-label={title} />}
    </div>
  );
}
