// How the parts of this view reach its state.
import { createStateContext } from "../parts/state-context";
import type { RewritesState } from "./state/rewrites";

const context = createStateContext<RewritesState>();
export const provideRewrites = context.provide;
export const useRewrites = context.useState;
