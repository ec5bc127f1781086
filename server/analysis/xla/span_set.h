// SpanSet: times as a set: their union, parts of it, and what two have in common. One thread while it is filled; any
// once it is settled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace vizd {

class SpanSet {
 public:
  // Spans without length are left out.
  void add(std::int64_t from_ns, std::int64_t to_ns) {
    if (to_ns > from_ns) spans_.emplace_back(from_ns, to_ns);
  }

  // After the last add(): from here on spans are disjoint and in order.
  void settle() {
    std::ranges::sort(spans_);
    std::size_t kept = 0;
    for (const auto& span : spans_) {
      if (kept > 0 && span.first <= spans_[kept - 1].second) {
        spans_[kept - 1].second = std::max(spans_[kept - 1].second, span.second);
      } else {
        spans_[kept++] = span;
      }
    }
    spans_.resize(kept);
  }

  std::int64_t length_ns() const {
    std::int64_t length_ns = 0;
    for (const auto& [from_ns, to_ns] : spans_) length_ns += to_ns - from_ns;
    return length_ns;
  }

  SpanSet within(std::int64_t from_ns, std::int64_t to_ns) const {
    SpanSet part;
    const auto ends_later = [](std::int64_t at_ns, const auto& span) { return at_ns < span.second; };
    for (auto it = std::upper_bound(spans_.begin(), spans_.end(), from_ns, ends_later);
         it != spans_.end() && it->first < to_ns; ++it)
      part.add(std::max(it->first, from_ns), std::min(it->second, to_ns));
    return part;
  }

  std::int64_t overlap_ns(const SpanSet& other) const {
    std::int64_t length_ns = 0;
    for (auto a = spans_.begin(), b = other.spans_.begin(); a != spans_.end() && b != other.spans_.end();) {
      length_ns += std::max<std::int64_t>(std::min(a->second, b->second) - std::max(a->first, b->first), 0);
      a->second < b->second ? static_cast<void>(++a) : static_cast<void>(++b);
    }
    return length_ns;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> spans_;
};

}  // namespace vizd
