// An event as a link to it names it.
/** Its lane and index are what it is found by; its times where to look. */
export interface LinkedEvent {
  /** Path of its lane, its index there. */
  lane: string;
  index: number;
  start_ns: number;
  dur_ns: number;
  /** Without colours. */
  name: string;
}
