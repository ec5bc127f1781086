// The names of copies. Kineto's say it all, "Memcpy HtoD (Pinned -> Device)"; Cuspy (PyTorch 2.15) calls each "Memcpy"
// and says the rest in arguments. Here such copies get the names that Kineto gives them.
#pragma once

#include <string_view>

#include "model/capture.h"

namespace vizd::chrome_trace {

// The track's events and arguments must be complete and in order.
void name_copies(Track& track, StringTable& strings);

// The name that the event's record has; has_kind: it has the argument of such copies.
constexpr std::string_view recorded_copy_name(std::string_view name, bool has_kind) {
  constexpr std::string_view kCopy = "Memcpy";
  return has_kind && name.starts_with(kCopy) ? kCopy : name;
}

inline constexpr std::string_view kCopyKind = "copy kind";

}  // namespace vizd::chrome_trace
