// The shapes of server/http/API.md, under its names: what is open, and its contexts. Columns are arrays of one length, one
// item a record.

export interface FileInfo {
  /** What the file is to its capture, in its format's words. */
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
  contexts: number;
  passes: number;
  matches: number;
  events: number;
  allocations: number;
  /** Records left out, by reason. */
  skipped: Record<string, number>;
  warnings: string[];
}

export interface SessionInfo {
  version: string;
  revision: number;
  captures: CaptureInfo[];
  hint: { title: string; lines: string[] } | null;
}

/** File, line, and the source line where it may be read. */
export type WireLocation = [file: string, line: number, code: string | null];

export interface WireContext {
  name: string;
  program: boolean;
  passes: { name: number[]; depth: number[]; matches: number[]; location: number[] };
}

export interface WireContexts {
  capture: string;
  revision: number;
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
