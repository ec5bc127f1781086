// Which ranks made others wait at collectives: the one rule of it, in the store's SQL (docs/figures.md; in
// analysis/devices/collectives.h for captures that are open). Pure.
#pragma once

#include <string>

namespace vizd::store {

// In each collective that a rank came to later than most did, it made them wait: for as long as its own part of it was
// shorter than that of the rank in the middle. Ranks that come together make nobody wait.
// The answer: rank, wait_ns of all collectives together, and to how many it came late; in no order.
std::string late_ranks_query(const std::string& job);

}  // namespace vizd::store
