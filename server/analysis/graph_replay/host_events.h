// HostEvents: of a trace what its host was doing: operators, Python's frames and annotations by thread, and the calls
// that it made to a device's runtime. Refers to the capture. Made once; reading may be done by any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/devices/device_work.h"

namespace vizd {

struct HostEvent : ProfileEvent {
  enum class Kind : std::uint8_t { kOperator, kFrame, kAnnotation, kCall };
  Kind kind = Kind::kOperator;
  std::uint32_t thread = 0;  // place in HostEvents::threads
  StringId name{};
};

struct HostThread {
  FileValue process, thread;      // their numbers
  std::vector<HostEvent> events;  // by start, of those that begin together the longest first
};

class HostEvents {
 public:
  // Reads the tracks that belong to root; kNoId: all.
  HostEvents(const Capture& capture, std::uint32_t root);

  std::span<const HostThread> threads() const { return threads_; }
  std::span<const HostEvent> calls() const { return calls_; }  // by start
  // The thread of a track; kNoId: it has none of these events.
  std::uint32_t thread_of(std::uint32_t track) const { return thread_of_[track]; }

  // Calls visit(k, events) for the k-th of these times, which do not go back: the thread's events that began by then
  // and end after it, the outermost first. Of those that lie deeper than anybody's the innermost are left out.
  template <typename Times, typename Visit>
  void around(std::uint32_t thread, const Times& times_ns, Visit&& visit) const {
    const std::vector<HostEvent>& events = threads_[thread].events;
    std::vector<const HostEvent*> open;
    std::size_t next = 0, k = 0;
    for (const std::int64_t at_ns : times_ns) {
      for (; next < events.size() && events[next].start_ns <= at_ns; ++next) {
        if (open.size() >= 2 * kMostOpen) drop_ended(open, events[next].start_ns);
        if (open.size() < 2 * kMostOpen) open.push_back(&events[next]);
      }
      drop_ended(open, at_ns);
      visit(k++, std::span<const HostEvent* const>(open).first(std::min(open.size(), kMostOpen)));
    }
  }

 private:
  static constexpr std::size_t kMostOpen = 4096;

  static void drop_ended(std::vector<const HostEvent*>& open, std::int64_t at_ns) {
    std::erase_if(open, [at_ns](const HostEvent* event) { return event->end_ns <= at_ns; });
  }

  std::vector<HostThread> threads_;
  std::vector<HostEvent> calls_;
  std::vector<std::uint32_t> thread_of_;  // by track
};

}  // namespace vizd
