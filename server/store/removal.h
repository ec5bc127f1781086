// Removes ranks and jobs from a store. A job goes by its partitions, and so does a rank whose bucket is its own. One
// that shares its bucket is marked in push, which is at once, so that no answer of vizd's counts it as whole; then its
// rows are deleted, and its marks last: a removal that was cut goes on when it is asked for again. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/store.h"

namespace vizd::store {

// Errors of both: also kBadInput where some of it lies on servers that are not named.
Result<void> remove_rank(const Store& store, const std::string& job, std::uint32_t rank);
Result<void> remove_job(const Store& store, const std::string& job);

// Removes the jobs that were pushed to be kept until now or less (`--keep`), and names them.
Result<std::vector<std::string>> remove_what_is_over(const Store& store);

}  // namespace vizd::store
