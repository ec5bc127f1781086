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
  host: "The host launched the next work after the device became idle",
  kernel: "The next work was launched in time and started within 30 µs",
  other: "The device waited longer for launched work, or the cause is not recorded",
};
