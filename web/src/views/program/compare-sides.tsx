// Two texts side by side, lines that are the same beside each other, with the way from one difference to the next.
import { useSignal } from "@preact/signals";
import { alignLines, type AlignedLine } from "./align-lines";
import { formatCount } from "../../lib/text";
import { useCommand } from "../parts/app-context";
import { KeyCap } from "../parts/key-cap";
import { kCodeRow_px } from "./source-panel";
import { VirtualList } from "../parts/virtual-list";

export interface TwoSides {
  left: readonly string[];
  right: readonly string[];
  lines: readonly AlignedLine[];
}

export function align(left: readonly string[], right: readonly string[]): TwoSides {
  return { left, right, lines: alignLines(left, right) };
}

interface SidesProps {
  title: string;
  sides: TwoSides;
  /** Why there is nothing to compare. */
  reason?: string | undefined;
  /** The commands that step through its differences. */
  commands?: { next: string; previous: string };
}

export function Sides({ title, sides: { left, right, lines }, reason, commands }: SidesProps) {
  const current = useSignal(-1);
  const changed = lines.filter((line) => !line.isSame).length;
  const step = (by: 1 | -1) => {
    const heads = findChanges(lines);
    const next = by > 0 ? heads.find((i) => i > current.value) : heads.findLast((i) => i < current.value);
    current.value = next ?? (by > 0 ? heads[0] : heads[heads.length - 1]) ?? -1;
  };
  return (
    <section class="compare-sides" aria-label={title}>
      <header class="section-head">
        <h2>{title}</h2>
        {reason === undefined && (
          <span class="dim">
            {changed === 0 ? "the same" : `${formatCount(changed)} of ${formatCount(lines.length)} lines differ`}
          </span>
        )}
        {commands !== undefined && changed > 0 && <StepButtons commands={commands} step={step} />}
      </header>
      {reason !== undefined ? (
        <p class="dim note">{reason}</p>
      ) : (
        <VirtualList
          count={lines.length}
          rowHeight_px={kCodeRow_px}
          current={current.value}
          label={title}
          role="list"
          renderRow={(i) => {
            const line = lines[i]!;
            return (
              <div
                key={i}
                role="listitem"
                class={`compare-row ${line.isSame ? "" : "differs"} ${i === current.value ? "current" : ""}`}
              >
                <code title={left[line.left]} class={line.left < 0 ? "nothing" : line.isSame ? "" : "is-left"}>
                  {left[line.left] ?? ""}
                </code>
                <code title={right[line.right]} class={line.right < 0 ? "nothing" : line.isSame ? "" : "is-right"}>
                  {right[line.right] ?? ""}
                </code>
              </div>
            );
          }}
        />
      )}
    </section>
  );
}

function StepButtons({ commands, step }: { commands: { next: string; previous: string }; step: (by: 1 | -1) => void }) {
  useCommand(commands.next, () => step(1));
  useCommand(commands.previous, () => step(-1));
  return (
    <button class="pill" onClick={() => step(1)}>
      Next difference <KeyCap command={commands.next} />
    </button>
  );
}

/** The first line of each run of lines that differ. */
function findChanges(lines: readonly AlignedLine[]): number[] {
  const heads: number[] = [];
  lines.forEach((line, i) => {
    if (!line.isSame && (i === 0 || lines[i - 1]!.isSame)) heads.push(i);
  });
  return heads;
}
