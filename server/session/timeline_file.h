// A prepared timeline kept in a file of the cache folder, so that opening the same profile again is a mapping instead
// of a sort: the lanes' events by row, their rows and their index, under a key of what was recorded. A file is written
// beside its place and renamed, and is believed only where its version, key, sizes, checksums and structure are right;
// anything else counts as not there. The folder keeps to a size: the files longest not used go first.
// Any thread; several programs may share the folder.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "model/capture.h"
#include "timeline/timeline.h"

namespace vizd {

struct TimelineCacheOptions {
  std::string folder;                                 // "": nothing is kept
  std::uint64_t least_events = 1'000'000;             // profiles of fewer are prepared quicker than kept
  std::uint64_t most_bytes = std::uint64_t{8} << 30;  // of all files together
};

// $XDG_CACHE_HOME/vizd or ~/.cache/vizd; "" where neither is known.
std::string default_cache_folder();

// Prepares the capture's timeline, from the cache where it is there, else anew, and keeps it then.
Timeline prepare_cached(Capture& capture, const TimelineCacheOptions& options, unsigned threads,
                        const TimelineProgress& progress = {});

// The two halves of prepare_cached. load gives false, and leaves the profile as it was, where there is no good file.
bool load_prepared(const std::string& path, std::uint64_t key, Profile& profile, PreparedLanes& prepared);
Result<void> save_prepared(const std::string& path, std::uint64_t key, const Profile& profile,
                           const PreparedLanes& prepared);

}  // namespace vizd
