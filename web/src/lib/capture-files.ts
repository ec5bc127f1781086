// The states of a capture's files.
import type { CaptureInfo, FileInfo } from "./wire";

export function takeBrokenFiles(capture: CaptureInfo): FileInfo[] {
  return capture.files.filter((file) => file.status === "broken");
}

export function takeLoadingFiles(capture: CaptureInfo): FileInfo[] {
  return capture.files.filter((file) => file.status === "loading");
}
