// Samples of program counters: how what a warp waited for is called.

/** "MEMORY_DEPENDENCY" as people read it. */
export const nameOfStall = (stall: string) => stall.toLowerCase().replaceAll("_", " ");
