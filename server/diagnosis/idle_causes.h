// What the host was in while devices waited for it: over all gaps, by what is around it on the thread, not in the one
// longest gap. Refers to the capture. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/examined.h"

namespace vizd {

// A way to keep devices waiting, known by the names of the spans that the host is in.
struct HostCause {
  std::string_view is;    // what the host does: "loads its input"
  std::string_view next;  // what to try
};

struct HostInGaps {
  std::int64_t known_ns =
      0;  // of the gaps, for which the launching threads tell what they were in, or that it is nothing
  const HostCause* cause = nullptr;  // what takes at least half of that; null: no known one does
  std::string name;             // the innermost span of the cause, else the innermost that takes half; "": none does
  std::int64_t name_ns = 0;     // how long the host is in it, or, of a cause, in all its spans
  std::int64_t nothing_ns = 0;  // the thread has nothing recorded
};

// The gaps of that cause whose launching call is known.
HostInGaps host_in_gaps(const Examined& examined, IdleCause cause);

// How long any host has a span, in the gaps of that cause: of captures that do not tell which thread launched what.
std::int64_t host_time_in_gaps(const Examined& examined, IdleCause cause);

}  // namespace vizd
