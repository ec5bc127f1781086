// How the parts of this view reach its state.
import { createStateContext } from "../parts/state-context";
import type { TimelineState } from "./state/timeline-state";

const context = createStateContext<TimelineState>();
export const provideTimeline = context.provide;
export const useTimeline = context.useState;
