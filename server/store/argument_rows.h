// The rows of `argument`: the values that a track's events have of one argument, many a row, as arrays. A row for each
// value would be most of what a store takes and holds. One thread.
#pragma once

#include <cstddef>

#include "query/args_table.h"
#include "store/blocks.h"

namespace vizd::store {

// At most so many values a row, and texts up to about so many bytes.
inline constexpr std::size_t kMostRowValues = 1024, kMostRowTextBytes = std::size_t{1} << 18;

// By key, and by id for each key. args outlives the function.
WriteRow rows_of_arguments(const sql::ArgsTable& args);

}  // namespace vizd::store
