// What went wrong, above the view it concerns, with what to do about it.
import { useApp } from "./app-context";

export function Banners() {
  const { notices } = useApp();
  return (
    <>
      {notices.list.value.map(({ topic, problem }) => (
        <div key={topic} class="banner" role="alert">
          <span>{problem.message}</span>
          {problem.where !== undefined && <code>{problem.where}</code>}
          <button class="quiet" onClick={() => notices.clear(topic)}>
            dismiss
          </button>
        </div>
      ))}
    </>
  );
}

interface BlankProps {
  title: string;
  lines?: readonly string[];
  tone?: "calm" | "broken";
  /** Long work under way: a bar that fills. */
  progress?: { done: number; of: number } | null;
}

/** What stands where there is nothing to show: why, and what to do. Lines that start with two spaces are commands. */
export function Blank({ title, lines = [], tone = "calm", progress = null }: BlankProps) {
  return (
    <div class={`blank ${tone}`} role={tone === "broken" ? "alert" : "status"}>
      <h2>{title}</h2>
      {lines.map((line, i) => (line.startsWith("  ") ? <pre key={i}>{line.trim()}</pre> : <p key={i}>{line}</p>))}
      {progress !== null && <progress value={progress.done} max={Math.max(progress.of, 1)} aria-label={title} />}
    </div>
  );
}
