// The states of a capture's files.
import type { CaptureInfo, FileInfo } from "./wire";

export function takeBrokenFiles(capture: CaptureInfo): FileInfo[] {
  return capture.files.filter((file) => file.status === "broken");
}

export function takeLoadingFiles(capture: CaptureInfo): FileInfo[] {
  return capture.files.filter((file) => file.status === "loading");
}

/** What is amiss with the files that the page shows the capture of, in short and in full; null where nothing is. */
export function describeFailure(capture: CaptureInfo): { text: string; why: string } | null {
  const kept = "The page shows what was read of it before.";
  const gone = capture.files.filter((file) => file.status === "missing");
  if (gone.length > 0) {
    return { text: "file gone", why: `${gone.map(({ path }) => path).join(", ")}: not there any more. ${kept}` };
  }
  const broken = takeBrokenFiles(capture);
  if (broken.length === 0) return null;
  return { text: "cannot be read", why: `${broken.map(({ path, error }) => error ?? path).join("\n")}\n${kept}` };
}
