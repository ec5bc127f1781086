// A small capture made by hand, as a format would leave it: two lanes, one of them with memory, a marker, and contexts
// that the events lead to.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "model/capture.h"

namespace vizd {

struct ProfileFixture {
  std::unique_ptr<Capture> capture = std::make_unique<Capture>();

  Track& add_lane(std::string_view name) {
    capture->profile.tracks.push_back({});
    capture->profile.tracks.back().name = capture->strings.add(name);
    return capture->profile.tracks.back();
  }

  // details: what else the event has.
  void add_event(Track& lane, std::string_view name, std::int64_t start_ns, std::int64_t end_ns,
                 std::optional<Event> details = {}) {
    Event event = details.value_or(Event{.order = static_cast<std::uint32_t>(lane.events.size())});
    event.name = capture->strings.add(name);
    event.start_ns = start_ns;
    event.dur_ns = end_ns - start_ns;
    lane.events.push_back(event);
  }

  Allocation& add_allocation(Track& lane, std::uint64_t key, std::uint64_t count, std::int64_t birth_ns,
                             std::uint32_t birth_order) {
    Allocation allocation;
    allocation.key = key;
    allocation.count = count;
    allocation.item_size_bytes = 4;
    allocation.dtype = capture->strings.add("float");
    allocation.birth_ns = birth_ns;
    allocation.birth_order = birth_order;
    lane.allocations.push_back(allocation);
    return lane.allocations.back();
  }

  // A context with passes of these names.
  ContextId add_context(std::string_view name, std::initializer_list<std::string_view> passes) {
    Rewrites& rewrites = capture->rewrites;
    Context context;
    context.name = capture->strings.add(name);
    context.first_pass = static_cast<std::uint32_t>(rewrites.passes.size());
    context.pass_count = static_cast<std::uint32_t>(passes.size());
    for (const std::string_view pass_name : passes) {
      Pass pass;
      pass.name = capture->strings.add(pass_name);
      rewrites.passes.push_back(pass);
    }
    rewrites.contexts.push_back(context);
    return to_id<ContextId>(rewrites.contexts.size() - 1);
  }
};

}  // namespace vizd
