// The slices above and below one on its track, and the flows that go on from one, as Perfetto counts them. Pure
// functions of a query's captures; numbers are slice.id and flow.id. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "query/catalog.h"

namespace vizd::sql {

using Ids = std::vector<std::int64_t>;  // ascending

// The innermost event of the track that holds the event whole, in a row above its own; kNoId where none does.
std::uint32_t parent_event(const EventColumns& events, const LaneIndex& lane, std::uint32_t event);

// Empty of a number that is no slice's.
Ids ancestor_slices(const Catalog& catalog, std::int64_t slice);
Result<Ids> descendant_slices(const Catalog& catalog, std::int64_t slice, const Budget& budget);

enum class FlowWay { kFollowing, kPreceding, kDirect };
// Following: from the slice and those below it on; preceding: to it and those above it; direct: to and from it alone;
// each time from what was reached likewise.
Result<Ids> flows_of_slice(const Catalog& catalog, std::int64_t slice, FlowWay way, const Budget& budget);

}  // namespace vizd::sql
