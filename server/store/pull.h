// Takes a rank back out of a store, as the file of vizd's own that was pushed with it. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "store/store.h"

namespace vizd::store {

// Hands the file's parts over in order; returns its size. Errors: the rank is not there whole, the store left.
Result<std::uint64_t> pull(const Store& store, const std::string& job, std::uint32_t rank,
                           const std::function<void(std::string_view part)>& write);

}  // namespace vizd::store
