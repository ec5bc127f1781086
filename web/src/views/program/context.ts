// How the parts of this view reach its state.
import { createStateContext } from "../parts/state-context";
import type { ProgramState } from "./state";

const context = createStateContext<ProgramState>();
export const provideProgram = context.provide;
export const useProgram = context.useState;
