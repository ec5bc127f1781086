// Whether a job goes as it should: which ranks made others wait and how long, and how long its steps take. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace vizd::store {

// A rank that made others wait (late_ranks.h).
struct MadeWait {
  std::uint32_t rank = 0;
  std::uint64_t wait_ns = 0;      // of all collectives together
  std::uint64_t recorded_ns = 0;  // how long the rank was recorded
  std::uint64_t collectives = 0;  // to which it came late

  double percent() const {
    return recorded_ns == 0 ? 0 : 100 * static_cast<double>(wait_ns) / static_cast<double>(recorded_ns);
  }
};

// The ranks that made others wait, the longest first.
Result<std::vector<MadeWait>> made_waits(const Store& store, const std::string& job);

struct StepTimes {
  std::uint64_t steps = 0;      // of all ranks
  std::uint64_t median_ns = 0;  // how long one of them takes
};
Result<StepTimes> step_times(const Store& store, const std::string& job);

struct JobRanks {
  std::uint64_t ranks = 0, whole = 0;  // those that were begun; of which so many are there to their end
};
Result<JobRanks> job_ranks(const Store& store, const std::string& job);

// The job of that name; where there is none, the latest step of those pushed by --watch: NAME step N.
Result<std::string> find_job(const Store& store, const std::string& name);
// The step before it that is there; none of a job that is of no step, or of the first.
Result<std::optional<std::string>> step_before(const Store& store, const std::string& job);

}  // namespace vizd::store
