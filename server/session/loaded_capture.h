// LoadedCapture: one capture as it was read, once. Never changes, but for being unloaded; requests hold on to the one
// they began with while a reload swaps in the next.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "formats/registry.h"
#include "model/capture.h"
#include "session/kept_capture.h"
#include "session/read_progress.h"
#include "timeline/timeline.h"

namespace vizd {

struct LoadedCapture {
  std::string id;              // "c0", "c1", …: the same after a reload
  std::string name;            // unique in the session
  std::uint64_t revision = 0;  // of the session when this was read: no two readings share one
  InputSet set;                // what it was read from
  Capture capture;
  Timeline timeline;  // of the capture's profile
  // The file in which the columns of the two above lie; null where they were read.
  std::shared_ptr<const KeptBytes> kept;
  // Stopped by the session once it shows this reading no more: what is made from it is then given up and forgotten
  // (derived/derived.h).
  mutable std::stop_source unloaded;
};

// The setting that names its steps: a regular expression (analysis/figures/named_steps.h).
inline constexpr std::string_view kStepNameSetting = "step-name";

// The result of reading an input set: the errors by file (none: read well or missing), and the capture from the files
// that were read well; null where there is no such file.
struct Reading {
  FileErrors errors;
  std::unique_ptr<LoadedCapture> loaded;
  std::optional<KeptPlace> keep_at;  // where the capture is to be kept, so that it need not be read again
};
// Takes what is kept of these files, or else reads them and prepares the timeline. progress may be null.
Reading load(const InputSet& set, const CacheOptions& cache = {}, ReadProgress* progress = nullptr);
// For commands that show no timeline: it stays empty, and events lie as they were recorded.
Reading load_recorded(const InputSet& set);

// Loads what is shown of a set while it is read: its lanes with the first 1 / parts of their events. Null where its
// format has no way to do so. Without warnings: those come with the whole.
std::unique_ptr<LoadedCapture> load_beginning(const InputSet& set, unsigned parts);

}  // namespace vizd
