// Which name has most of some time. NameTimes knows how much time each of a few names has; where there are more names
// than it has room for, the one with the least is forgotten, so what it says of a name is never more than its time, and
// exact where all had room. MajorityName knows the one name that has over half of the time, if one has, at the cost of
// one comparison a time (Boyer and Moore's majority vote, with weights). One thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/string_table.h"

namespace vizd {

struct NameTime {
  StringId name{};
  std::uint64_t time_ns = 0;
};

template <std::size_t kRoom>
class NameTimes {
 public:
  void add(StringId name, std::uint64_t time_ns) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (times_[i].name != name) continue;
      times_[i].time_ns += time_ns;
      // Names that come often move to the front, where they are found first.
      if (i > 0 && times_[i].time_ns > times_[i - 1].time_ns) std::swap(times_[i], times_[i - 1]);
      return;
    }
    if (size_ < kRoom) {
      times_[size_++] = {name, time_ns};
    } else if (times_[size_ - 1].time_ns < time_ns) {
      times_[size_ - 1] = {name, time_ns};
    }
  }

  // Ties are broken by the smallest id; a name is returned even if none has any time.
  NameTime most() const {
    NameTime best = size_ == 0 ? NameTime{} : times_[0];
    for (std::size_t i = 1; i < size_; ++i) {
      const NameTime& other = times_[i];
      if (other.time_ns > best.time_ns || (other.time_ns == best.time_ns && other.name < best.name)) best = other;
    }
    return best;
  }

  void clear() { size_ = 0; }

 private:
  std::array<NameTime, kRoom> times_;
  std::size_t size_ = 0;
};

class MajorityName {
 public:
  void add(StringId name, std::uint64_t time_ns) {
    if (name == name_) {
      lead_ns_ += time_ns;
    } else if (lead_ns_ >= time_ns && lead_ns_ > 0) {
      lead_ns_ -= time_ns;
    } else {
      name_ = name;
      lead_ns_ = time_ns - lead_ns_;
    }
  }

  // Some name that was added where none has over half of the time.
  StringId name() const { return name_; }

 private:
  StringId name_{0xFFFFFFFFu};
  std::uint64_t lead_ns_ = 0;
};

}  // namespace vizd
