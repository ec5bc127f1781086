// Which begins and ends belong together where the order of the file does not tell: by their times and names. Pure.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "formats/chrome_trace/named_stack.h"

namespace vizd::chrome_trace {

struct PairMark {
  std::int64_t at_ns = 0;
  StringId name{};
  bool is_end = false;
  std::uint32_t number = 0;  // among the begins, or among the ends
};

// An end that found no begin in the order of the file.
struct StrayEnd {
  std::int64_t at_ns = 0;
  StringId name{};         // kAnyName: it says none
  std::size_t record = 0;  // among those that are put off
};

// The numbers of begins with those of their ends: an end closes the innermost that is open then and has its name. Of
// one moment the ends of earlier begins come first, then the begins, then the ends of these.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pair_by_time(std::vector<PairMark> marks);

}  // namespace vizd::chrome_trace
