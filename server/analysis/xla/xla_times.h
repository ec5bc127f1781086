// XlaTimes: to whom the time of a host's devices belongs: the self time of each piece of work by the device's own
// clock, and the pieces in which it is the innermost by the host's. Refers to the host. Made once; reading may be done
// by any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/xla/nesting.h"
#include "analysis/xla/op_traits.h"
#include "model/xla_profile.h"

namespace vizd {

// In nanoseconds of the file: both ends rounded down, so that what is disjoint stays so.
struct XlaSpan_ns {
  std::int64_t start_ns = 0, end_ns = 0;
};
inline XlaSpan_ns to_ns(const XlaHost& host, const XlaSpan& span) {
  return {host.origin_ns + floor_ns(span.start_ps), host.origin_ns + floor_ns(span.end_ps)};
}

struct XlaTimes {
  std::vector<OpTraits> traits;              // by place in XlaHost::kinds
  std::vector<std::int64_t> self_ps;         // by place in XlaHost::work
  std::vector<XlaPiece> pieces;              // of all work, as drawn; XlaPiece::op is the place in XlaHost::work
  std::vector<std::size_t> first_piece;      // by place in XlaHost::streams, and the end
  std::vector<std::int64_t> device_self_ps;  // by place in XlaHost::devices
};

XlaTimes find_xla_times(const XlaHost& host, const StringTable& strings);

// How long it took by the device's clock.
inline std::int64_t timed_ns(const XlaWork& work) {
  return floor_ns(work.timed.end_ps) - floor_ns(work.timed.start_ps);
}

}  // namespace vizd
