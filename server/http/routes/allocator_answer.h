// Shared by the routes about an allocator: the memory that a request means, what is kept of it, and the moment.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "analysis/allocator/allocator_curve.h"
#include "analysis/allocator/owners.h"
#include "analysis/allocator/trace_links.h"
#include "base/json_writer.h"
#include "http/routes/timeline_request.h"
#include "timeline/allocator_states.h"

namespace vizd {

// A track with an allocator log. It lives as long as the answer is made.
struct LoadedAllocator {
  Loaded loaded;
  std::uint32_t lane = 0;

  const Capture& capture() const { return loaded->capture; }
  const Track& track() const { return loaded->capture.profile.tracks[lane]; }
  const AllocatorLog& log() const { return *track().allocator; }
  // As the page counts it.
  std::int64_t wire_ns(std::int64_t at_ns) const { return at_ns - loaded->capture.profile.start_ns; }
};
// The lane that a part of the path names. Errors: it has no allocator that tells of itself.
Result<LoadedAllocator> allocator_of(const Loaded& loaded, std::string_view lane);

// Found once a reading of the capture, for all that ask.
Result<std::shared_ptr<const AllocatorCurve>> curve_of(const LoadedAllocator& of, const Request& request,
                                                       const Services& services);
Result<std::shared_ptr<const AllocatorStates>> states_of(const LoadedAllocator& of, const Request& request,
                                                         const Services& services);
// ?by=, else by line.
Result<std::shared_ptr<const AllocationOwners>> owners_of(const LoadedAllocator& of, const Request& request,
                                                          const Services& services);

// The operators of a trace of the same run that asked for its allocations.
Result<std::shared_ptr<const LinkedLives>> linked_lives_of(const LoadedAllocator& of, const Loaded& trace,
                                                           const Request& request, const Services& services);

// The moment that a request is about: ?entry= (-1: before the first), or ?at=: peak, end, or a time; the peak, where
// ?from= and ?to= are given, of the time between them.
Result<AllocatorMoment> moment_of(const LoadedAllocator& of, const AllocatorCurve& curve, const Request& request);

// Which allocations a request is about: ?of=held, of what is allocated at its moment; made, of what was made from
// ?from= to ?to=; left, of what was made then and is allocated at the end of that. What it tells of is_about is valid
// as long as the allocator.
struct AskedLives {
  AllocatorMoment moment = 0;  // held: then; else the end of the time
  std::function<bool(std::uint32_t life)> is_about;
};
Result<AskedLives> lives_of(const LoadedAllocator& of, const AllocatorCurve& curve, const Request& request);

// "entry" and "at_ns" of a moment; at_ns null before the first entry.
void write_moment(JsonWriter& json, const LoadedAllocator& of, AllocatorMoment moment);
// Its row among the rows of lives (API.md).
void write_life(JsonWriter& json, const LoadedAllocator& of, std::uint32_t life);
// "0x7f…": addresses are beyond the whole numbers of a page.
std::string address_text(std::uint64_t address);

// Each ends a path /api/v1/allocator/KEY/LANE, and its answer never changes.
using AnswerOfAllocator = std::function<Response(const Request&, const LoadedAllocator&, const Services&)>;
void add_allocator_route(Router& router, const Services& services, const std::string& rest, AnswerOfAllocator answer);

}  // namespace vizd
