// Plays the matches of a pass one after another, until the last one or until told to stop.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useRewrites } from "./context";

/** A whole pass plays in about this long, but no faster than a screen can show and no slower than one can follow. */
const kPlay_s = 20;
const kSlowest_per_s = 4;
const kFastest_per_s = 60;

export function usePlayer(last: number): { plays: boolean; turn: () => void } {
  const { graph, spot } = useRewrites();
  const plays = useSignal(false);
  useEffect(() => {
    if (!plays.value) return;
    const perSecond = Math.min(Math.max(last / kPlay_s, kSlowest_per_s), kFastest_per_s);
    const timer = setInterval(() => {
      const match = spot.match.peek();
      if (match >= last) plays.value = false;
      else graph.goToState(match + 1);
    }, 1000 / perSecond);
    return () => clearInterval(timer);
  }, [plays.value, last, graph, spot]);
  return {
    plays: plays.value,
    turn: () => {
      if (!plays.value && spot.match.peek() >= last) graph.goToState(0);
      plays.value = !plays.value;
    },
  };
}
