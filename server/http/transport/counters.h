// Counters: what the server counts while it runs, for whoever watches over it (GET /metrics). Atomic: counted and read
// by any thread, each for itself.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace vizd {

struct Counters {
  using Count = std::atomic<std::uint64_t>;

  // Connections that are open now, by what they do.
  Count idle{0};       // between requests, or before their first
  Count arriving{0};   // a part of a request's head is there
  Count answering{0};  // a worker has it, or will as soon as one is free
  Count sending{0};    // the client takes its time to read the answer
  Count closing{0};
  Count event_streams{0};  // of answering

  // Since the start.
  Count accepted{0};
  Count closed_for_room{0};  // the oldest idle ones, when there were too many
  Count timed_out{0};
  Count left_early{0};             // clients that did not wait for their answer
  std::array<Count, 6> answers{};  // by the first digit of the status; 0 for those without one
};

}  // namespace vizd
