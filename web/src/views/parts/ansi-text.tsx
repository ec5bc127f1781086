// Text with a terminal's colours, in those of the theme.
import { parseAnsi, type AnsiRun } from "../../lib/ansi";

export function AnsiText({ text }: { text: string }) {
  if (!text.includes("\u001b")) return <>{text}</>;
  return <AnsiRuns runs={parseAnsi(text)} />;
}

export function AnsiRuns({ runs }: { runs: readonly AnsiRun[] }) {
  return (
    <>
      {runs.map((run) => {
        const classes: string[] = [];
        if (run.colour >= 0) classes.push(`ansi-${run.colour}`);
        if (run.background >= 0) classes.push(`ansi-bg-${run.background}`);
        if (run.bold) classes.push("ansi-bold");
        if (run.underline) classes.push("ansi-underline");
        return classes.length === 0 ? run.text : <span class={classes.join(" ")}>{run.text}</span>;
      })}
    </>
  );
}
