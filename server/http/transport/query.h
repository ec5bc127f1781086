// Parts of a request's query as numbers and lists. Errors are of kind kBadInput and name the parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "http/transport/message.h"
#include "timeline/tiles.h"

namespace vizd {

// No time that a request may ask for is farther from the profile's start: the tiles of a level end there, beyond any
// profile.
inline constexpr std::int64_t kMostTime_ns = 2 * kTimeBound_ns;

// A whole number between least and most; the fallback where the parameter is not there, an error where there is none.
Result<std::int64_t> parse_number(const Request& request, std::string_view name, std::int64_t least, std::int64_t most,
                                  std::optional<std::int64_t> fallback = {});

// "0,3-9": lanes that exist. All of them where the parameter is not there.
Result<std::vector<std::uint32_t>> parse_lanes(const Request& request, const Timeline& timeline);

// "0:2-5,3": rows 2 to 5 of lane 0, all of lane 3; rows the lane does not have are left out, and each is listed once.
// Without the parameter all rows of all lanes. Errors: there is no such lane; more rows than most.
Result<std::vector<LaneRow>> parse_rows(const Request& request, const Timeline& timeline, std::size_t most);

// "0:2,0:3": counters that exist; none where the parameter is not there.
Result<std::vector<LaneCounter>> parse_counters(const Request& request, const Profile& profile);

}  // namespace vizd
