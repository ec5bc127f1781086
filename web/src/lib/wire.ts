// The shapes of server/http/API.md, under its names: what is open, and its contexts. Columns are arrays of one length,
// one item a record.

export interface FileInfo {
  /** The file's role in its capture, in its format's words. */
  role: string;
  path: string;
  size_bytes: number;
  status: "ready" | "loading" | "broken" | "missing";
  error: string | null;
}

export interface CaptureInfo {
  id: string;
  name: string;
  format: string;
  revision: number;
  files: FileInfo[];
  has_rewrites: boolean;
  has_profile: boolean;
  /** Whether it is the first part of one that is still being read: then only its lanes can be asked for. */
  is_beginning: boolean;
  /** Whether it may have logged values (/api/v1/values). */
  tells_values: boolean;
  /** Whether it has what GPUs counted and traced (/api/v1/counters). */
  tells_hardware: boolean;
  contexts: number;
  passes: number;
  programs: number;
  matches: number;
  events: number;
  allocations: number;
  /** Known uses of buffers by launches: a kernel graph is made of them. */
  launch_uses: number;
  /** Memories whose allocators told of themselves entry by entry. */
  allocators: number;
  /** Whether its memory has steps or devices that can be compared with one another. */
  has_memory_parts: boolean;
  /** Ids: of a memory snapshot the traces of its run, of a trace the snapshots. */
  same_run: string[];
  /** Records left out, by reason. */
  skipped: Record<string, number>;
  warnings: string[];
}

export interface SessionInfo {
  version: string;
  /** The size that a capture sent may have; 0: none is taken. */
  upload_bytes: number;
  /** Why none is taken. */
  no_uploads: string;
  /** Whether marks are taken, and where somebody is. */
  shared: boolean;
  /** The folder that the server runs in, which its files' paths may be of. */
  folder: string;
  revision: number;
  /** The number of the last change that this is sure to have, as the event stream counts them. */
  change: number;
  /** Where jobs are kept, and the job to show first ("": the last); null where vizd was given none. */
  store: { address: string; job: string } | null;
  captures: CaptureInfo[];
  hint: { title: string; lines: string[] } | null;
  /** Where they were asked for, and are there. */
  contexts?: WireContexts | null;
}

/** A place with a note, that a command or somebody at the page put there. */
export interface WireMark {
  number: number;
  /** Its capture's name. */
  capture: string;
  /** The URL's fragment, without #. */
  place: string;
  /** What was marked, as a command's answer names it; "": the place. */
  id: string;
  note: string;
  by: "command" | "page";
}

export interface WireMarks {
  /** Counts their changes. */
  revision: number;
  marks: WireMark[];
}

/** File, line, and the source line where it may be read. */
export type WireLocation = [file: string, line: number, code: string | null];

export interface WireContext {
  name: string;
  program: boolean;
  /** The same in every recording of it, whatever it is called and wherever it stands; none without a pass. */
  key?: string;
  passes: { name: number[]; depth: number[]; matches: number[]; location: number[]; key?: number[] };
  /** Matches that raised, as the capture says, in order; left out where there is none. */
  errors?: WireRewriteError[];
}

export interface WireRewriteError {
  pass: number;
  /** From 1. */
  match: number;
  message: string;
}

export interface WireContexts {
  capture: string;
  revision: number;
  /** Programs that no context made. */
  programs: { program: number; name: string; device: string }[];
  /** The kinds of numbers that nodes have. */
  measures: { name: string; unit: string }[];
  /** Whether it is known where the values of ops lie. */
  tells_memory: boolean;
  locations: WireLocation[];
  pass_names: string[];
  contexts: WireContext[];
}

export interface WireProgram {
  name: string;
  device: string;
  language: string;
  source: string;
}
