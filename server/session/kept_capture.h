// Captures kept as they are when they have been read and prepared, in files of the cache folder (kept_file.h), so that
// opening the same files again takes what was made of them instead of making it anew. The files that a capture was read
// from are known by where they lie, their size and the times at which they were written and changed; vizd itself is
// known likewise, since another build may read them otherwise. Kept are large profiles without rewrites. The folder
// keeps to a size: the files longest not used go first. Any thread; several programs may share the folder.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/input_set.h"
#include "model/capture.h"
#include "session/kept_file.h"
#include "timeline/timeline.h"

namespace vizd {

struct CacheOptions {
  std::string folder;                                 // "": nothing is kept
  std::uint64_t least_events = 1'000'000;             // fewer, with allocations counted in, are read quickly
  std::uint64_t least_matches = 20'000;               // fewer are replayed quickly
  std::uint64_t most_bytes = std::uint64_t{8} << 30;  // of all files together
};

// $XDG_CACHE_HOME/vizd or ~/.cache/vizd; "" where neither is known.
std::string default_cache_folder();

// Where what is made of a set's files, as they lie there now, is kept.
struct KeptPlace {
  std::string path;
  std::uint64_t key = 0;
  bool operator==(const KeptPlace&) const = default;
};

inline constexpr std::string_view kTimelineSuffix = ".timeline", kRulesSuffix = ".rules";

// None where nothing is kept, or a file was written so lately that it might be written again without a sign of it.
// suffix: says what is made of them.
std::optional<KeptPlace> kept_place(const InputSet& set, const CacheOptions& options,
                                    std::string_view suffix = kTimelineSuffix);
// Removes the files longest not used until the rest are small enough together, and what a vizd left unfinished that
// ended while it wrote.
void keep_to_size(const CacheOptions& options);

// Whether anything is kept of them, be it good or not.
bool is_kept(const InputSet& set, const CacheOptions& options);
bool is_worth_keeping(const Capture& capture, const CacheOptions& options);

// Puts what is kept there into an empty capture and its timeline; returns the bytes in which their columns lie from
// then on. Null where there is no good one: the two are to be thrown away. Good is one whose checksums are right and
// which is_sound().
std::shared_ptr<const KeptBytes> load_kept(const KeptPlace& place, unsigned threads, Capture& capture,
                                           Timeline& timeline);
// Whether no id, place or count of the two leads outside of them (kept_check.cpp). Looks at every number.
bool is_sound(const Capture& capture, const Timeline& timeline);
// Once it is asked to stop it gives up, which is an error as any other.
Result<void> save_kept(const KeptPlace& place, const Capture& capture, const Timeline& timeline,
                       const std::stop_token& stop = {});

// Keeps a capture, makes the folder and keeps that to its size. What fails is logged.
void keep(const KeptPlace& place, const CacheOptions& options, const Capture& capture, const Timeline& timeline,
          const std::stop_token& stop);

}  // namespace vizd
