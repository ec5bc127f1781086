// Captures of a command line as ranks of a job: which rank each is, and pushing one (store/push.h). Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/registry.h"
#include "session/loaded_capture.h"
#include "store/push.h"

namespace vizd {

inline constexpr std::uint32_t kRankNotGiven = ~std::uint32_t{0};

// A capture to be pushed, and as which rank.
struct RankInput {
  InputSet set;
  std::uint32_t rank = 0;
};

// A format may claim the ranks of a job as one capture: here each is one by itself, under its own number. All others
// are numbered in their order, from `first` on, or from 0 where that is kRankNotGiven.
std::vector<RankInput> ranks_of(const std::vector<InputSet>& sets, std::uint32_t first);

// A capture that was read to be pushed.
struct RankCapture {
  std::shared_ptr<const LoadedCapture> loaded;
  std::string content;  // as store::PushInput has it
  std::uint64_t file_bytes = 0;
};

// Errors: also one without a message where the capture cannot be read, which was said on stderr.
Result<RankCapture> read_rank(const InputSet& set);
// What was read of the set already.
Result<RankCapture> rank_capture(const InputSet& set, std::shared_ptr<const LoadedCapture> loaded);
Result<store::PushReport> push_rank(const store::Store& store, const RankCapture& capture,
                                    const store::PushOptions& options, const store::PushProgress& progress);

}  // namespace vizd
