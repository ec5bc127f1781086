// SpanUnion: how long any of the spans lasts that it is given, in order of their starts.
#pragma once

#include <algorithm>
#include <cstdint>

namespace vizd {

class SpanUnion {
 public:
  void add(std::int64_t start_ns, std::int64_t end_ns) {
    if (end_ns <= start_ns) return;
    if (is_empty_ || start_ns > end_ns_) {
      start_over(start_ns, end_ns);
    } else {
      end_ns_ = std::max(end_ns_, end_ns);
    }
  }
  std::int64_t length_ns() const { return is_empty_ ? 0 : length_ns_ + (end_ns_ - start_ns_); }

 private:
  void start_over(std::int64_t start_ns, std::int64_t end_ns) {
    length_ns_ = length_ns();
    start_ns_ = start_ns;
    end_ns_ = end_ns;
    is_empty_ = false;
  }

  bool is_empty_ = true;
  std::int64_t start_ns_ = 0, end_ns_ = 0, length_ns_ = 0;
};

}  // namespace vizd
