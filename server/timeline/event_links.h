// Where each event of a lane leads in the rewrites: the context it names, and, for the passes timed inside or right
// after such an event, the pass of that context. Passes go by name, in order: each pass takes the next pass of its
// name. tinygrad's page does so with the events that follow (index.js renderProfiler); here those inside an event count
// as its own whatever lies between, and those that follow it until one has no such pass.
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"
#include "model/rewrites.h"
#include "timeline/lane_rows.h"

namespace vizd {

struct EventLink {
  ContextId context{kNoId};    // kNoId: the event leads nowhere
  std::uint32_t pass = kNoId;  // within the context; kNoId where it leads to the context as a whole
};

// One link an event. rows are lane_rows(events).
std::vector<EventLink> event_links(const EventColumns& events, const LaneRows& rows, const Rewrites& rewrites);

}  // namespace vizd
