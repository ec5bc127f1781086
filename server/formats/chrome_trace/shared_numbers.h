// SharedNumbers: which call launched which work where a number by which they know each other stands in the file several
// times, as where the traces of several ranks were pasted into one. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "model/argument_key.h"
#include "model/track.h"

namespace vizd::chrome_trace {

struct NumberKey {
  std::uint32_t root = kNoId;  // the rank's track
  ArgumentKey id;

  bool operator==(const NumberKey&) const = default;
  auto operator<=>(const NumberKey&) const = default;
};

// An event by the number that others know it by.
struct Numbered {
  NumberKey key;
  std::int64_t start_ns;
  std::uint32_t order, track, event;
};

class SharedNumbers {
 public:
  explicit SharedNumbers(const std::vector<Track>& tracks) : tracks_(tracks) {}

  // Works and calls of one number, each in order of time. The process that launches on a device is the one whose calls
  // precede the device's work most often.
  void count(std::span<const Numbered> works, std::span<const Numbered> calls);
  // Once all are counted: calls add(call, work) for each work: with the latest call before it of its device's process
  // that has no work yet. Where each has, one call launched several.
  template <typename Add>
  void match(std::span<const Numbered> works, std::span<const Numbered> calls, Add&& add) {
    std::map<std::uint32_t, Begun> begun;  // by process
    std::size_t next = 0;
    for (const Numbered& work : works) {
      for (; next < calls.size() && calls[next].start_ns <= work.start_ns; ++next)
        begun[tracks_[calls[next].track].parent].free.push_back(&calls[next]);
      Begun& own = begun[process_of(tracks_[work.track].parent)];
      if (!own.free.empty()) {
        own.last = own.free.back();
        own.free.pop_back();
      }
      add(own.last != nullptr ? *own.last : calls[next == 0 ? 0 : next - 1], work);
    }
  }

 private:
  struct Begun {
    std::vector<const Numbered*> free;  // without work, the latest last
    const Numbered* last = nullptr;     // that got work
  };

  // The process that launches on the device; kNoId where none is known to.
  std::uint32_t process_of(std::uint32_t device) const;

  const std::vector<Track>& tracks_;
  std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> launches_;  // by device and process
};

}  // namespace vizd::chrome_trace
