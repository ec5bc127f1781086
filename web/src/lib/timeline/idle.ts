// Times in which a device did nothing: from the end of its work to the beginning of the next.
import type { TimeRange } from "../time";
import type { EventItem } from "./events";
import type { IdleCause } from "./idle-cause";

/** As it is drawn: in the lane of the work that ended it. */
export interface DrawnGap extends TimeRange {
  lane: number;
  cause: IdleCause;
}

export interface IdleGap extends DrawnGap {
  /** The device's name; "" where the capture has none. */
  device: string;
  endedBy: EventItem;
  /** The call of the host that launched that. */
  call: EventItem | null;
  /** What the launching thread was in meanwhile, before the call. */
  host: EventItem | null;
}
