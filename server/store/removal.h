// Removes ranks and jobs from a store. A job goes by its partitions, and so does a rank whose bucket is its own. One
// that shares its bucket is marked in push, which is at once, so that no answer of vizd's has it any more; then its
// rows are deleted, and its marks last: a removal that was cut goes on when it is asked for again. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/store.h"

namespace vizd::store {

// What of a removal is waited for: that the rank is marked and the store begins to delete its rows, or that all are
// gone. The mark of a rank that is not waited for stays until the rank is pushed again, or its job removed.
enum class Deletion { kBegun, kAwaited };

// Errors of both: also kBadInput where some of it lies on servers that are not named.
Result<void> remove_rank(const Store& store, const std::string& job, std::uint32_t rank, Deletion deletion);
Result<void> remove_job(const Store& store, const std::string& job);

// Removes the jobs that were pushed to be kept until now or less (`--keep`), and names them.
Result<std::vector<std::string>> remove_what_is_over(const Store& store);

}  // namespace vizd::store
