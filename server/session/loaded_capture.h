// LoadedCapture: one capture as it was read, once. Never changes; requests hold on to the one they began with while a
// reload swaps in the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/capture.h"
#include "session/capture_files.h"
#include "session/read_progress.h"
#include "session/timeline_file.h"
#include "timeline/timeline.h"

namespace vizd {

struct LoadedCapture {
  std::string id;              // "c0", "c1", …: the same after a reload
  std::string name;            // unique in the session
  std::uint64_t revision = 0;  // of the session when this was read: no two readings share one
  Capture capture;
  Timeline timeline;  // of the capture's profile
};

// A file as it lies on disk: two signatures are equal where it was not written in between.
struct FileSignature {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const FileSignature&) const = default;
};

// None where there is no such file.
std::optional<FileSignature> file_signature(const std::string& path);

// What reading the files of a capture gave: the errors by file (none: read well or missing), and the capture from
// those that were read well; null where there is none such.
struct Reading {
  std::vector<std::optional<Error>> errors;
  std::unique_ptr<LoadedCapture> loaded;
};
// Prepares the timeline too, with the help of the cache. progress may be null.
Reading read_files(const CaptureFiles& files, const TimelineCacheOptions& cache = {}, ReadProgress* progress = nullptr);

// What is shown of a file while it is read: its lanes with the first 1 / parts of their events. Null where its format
// has no way to tell. Without warnings: those come with the whole.
std::unique_ptr<LoadedCapture> read_file_beginning(const std::string& path, unsigned parts);

}  // namespace vizd
