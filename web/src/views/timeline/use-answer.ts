// Answers of the timeline's source to a question that changes with signals. The last answer stays until the next one
// is there, so that nothing flickers, or until that is refused.
import { effect, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Result } from "../../lib/result";
import type { TimelineSource } from "../../lib/timeline/source";
import { useTimeline } from "./context";

type Question<T> = (source: TimelineSource) => Promise<Result<T>>;

/**
 * pose reads signals and says what to ask, or null for nothing; deps are what else it depends on. It is asked after a
 * pause in which nothing else was posed.
 */
export function useAnswer<T>(
  pose: () => Question<T> | null,
  deps: readonly unknown[],
  pause_ms = 0,
): ReadonlySignal<T | null> {
  const timeline = useTimeline();
  const answer = useSignal<T | null>(null);
  useEffect(() => {
    let current = 0;
    return effect(() => {
      const question = timeline.source.value === null ? null : pose();
      const number = ++current;
      if (question === null) {
        answer.value = null;
        return;
      }
      const take = (value: T) => {
        if (number === current) answer.value = value;
      };
      const ask = () => void timeline.ask(question, take, () => number === current && (answer.value = null));
      if (pause_ms === 0) {
        ask();
        return;
      }
      const timer = setTimeout(ask, pause_ms);
      return () => clearTimeout(timer);
    });
  }, [timeline, answer, ...deps]);
  return answer;
}
