// Names under which users of another tool know arguments that vizd calls by its own: so that the queries that they have
// for that tool's traces find the same rows here. Any thread.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "model/capture.h"

namespace vizd::sql {

struct OtherName {
  std::string_view name;
  const ArgumentColumn* column = nullptr;  // of the track, or one that was made for the name
};

// Returns the other names of the track's arguments. A column that must be computed anew for its name is put into
// `made`, which outlives the result.
std::vector<OtherName> other_names(const Track& track, const StringTable& strings, std::deque<ArgumentColumn>& made);

}  // namespace vizd::sql
