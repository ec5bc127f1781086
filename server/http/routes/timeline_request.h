// Shared by the timeline's routes: the capture whose profile a request means, answers that a browser may keep for good,
// and the events that a predicate picks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "http/routes/routes.h"
#include "timeline/picks.h"

namespace vizd {

// The capture that ?capture= names, where it has a profile; with ?key= the one that has that key.
Result<Loaded> profile_of(const Request& request, const Services& services);

// The capture, or the beginning of one, whose profile has that key; or the lanes of a capture's replays
// (/api/v1/replay-lanes), which are a profile by themselves. Does not wait for captures that are being read.
Result<Loaded> profile_by_key(std::string_view key, const Request& request, const Services& services);

// An answer under a KEY: it never changes, so it is not made again for a browser that has it. make returns the
// response without its caching headers.
Response immutable_answer(const Request& request, const std::function<Response()>& make);

Response binary_response(std::string bytes);

// The events that search:TEXT, name:NUMBER or slowest pick. Errors: none of these, no such name, a text too long, the
// client has left.
Result<std::shared_ptr<const Picks>> picks_of(std::string_view predicate, const Loaded& loaded, const Request& request,
                                              const Services& services);

}  // namespace vizd
