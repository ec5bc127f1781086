// Causes of time in which nothing ran on a device: docs/figures.md says when each is told.
/** Causes of idle time, as the server names them. */
export const kIdleCauses = ["host", "kernel", "other"] as const;
export type IdleCause = (typeof kIdleCauses)[number];

/** What each cause is called, and what it means. */
export const kIdleTitles: Readonly<Record<IdleCause, string>> = {
  host: "idle: host late",
  kernel: "idle: kernel to kernel",
  other: "idle: other",
};
export const kIdleHints: Readonly<Record<IdleCause, string>> = {
  host: "The host launched the next work only after the device had finished",
  kernel: "The next work was launched in time, and began within 30 µs of the work before it",
  other: "The device waited longer for work that had been launched, or the capture does not tell why",
};
