// Shared by the routes about replays of graphs: the named replays of a capture, and of them the part that a request is
// about.
#pragma once

#include <functional>
#include <string>

#include "analysis/graph_replay/replay_rows.h"
#include "http/routes/device_answer.h"

namespace vizd {

// The work of a rank in the scope of a request, and the part of it in the chosen steps.
struct LookedAt {
  const GraphReplays& replays;
  std::size_t place;  // among the ranks
  const ChosenWork& chosen;
};

// {"ranks": [..]}: of each rank that has work in the scope what write puts into its object, kept under that name and
// the request's scope and choice of steps: phase=PHASE, steady=1.
using WriteRank = std::function<void(JsonWriter&, const LookedAt&, const EventLinks&)>;
Response kept_rank_answers(const Request& request, std::string_view name, const WriteRank& write,
                           const Services& services);

// ?phase=PHASE, ?steady=1.
Result<StepChoice> parse_step_choice(const Request& request);

// A time of the profile as the page counts it.
inline std::int64_t page_ns(const GraphReplays& replays, std::int64_t profile_ns) {
  return profile_ns - replays.capture.profile.start_ns;
}

}  // namespace vizd
