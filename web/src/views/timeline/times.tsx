// Times of the timeline that is shown, in what it counts (lib/timeline/cycle-axis.ts).
import { timesOf, type Times } from "../../lib/timeline/cycle-axis";
import { Duration, Figure, Moment } from "../parts/figure";
import { useTimeline } from "./context";

export function useTimes(): Times {
  const source = useTimeline().source.value;
  return timesOf(source?.timeline ?? {});
}

/** ps: beyond the nanoseconds, where they are known. */
export function Took({ time, ps = 0 }: { time: number; ps?: number }) {
  const times = useTimes();
  if (times.unit === "ns") return <Duration ns={time} ps={ps} />;
  return <Figure text={times.duration(time)} exact={time} unit={times.unit} />;
}

export function At({ time }: { time: number }) {
  const times = useTimes();
  if (times.unit === "ns") return <Moment ns={time} />;
  return <Figure text={times.moment(time)} exact={time} unit={times.unit} />;
}
