// RewriteSpan: a part of what a compiler did as a span of time, for formats that hold nothing but time: each context
// holds its passes, one after another. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/capture.h"

namespace vizd {

struct RewriteSpan {
  StringId name{};
  std::int64_t start_ns = 0, dur_ns = 0;
  bool is_context = false;
  std::int64_t matches = 0;
};

// From time 0 on. A pass takes as long as its matches took, where the capture knows; else a microsecond a match.
inline std::vector<RewriteSpan> rewrite_spans(const Capture& capture) {
  std::vector<RewriteSpan> spans;
  std::int64_t at_ns = 0;
  for (const Context& context : capture.rewrites.contexts) {
    const std::size_t place = spans.size();
    spans.push_back({.name = context.name, .start_ns = at_ns, .is_context = true});
    for (const Pass& pass : capture.rewrites.passes_of(context)) {
      std::int64_t dur_ns = 0;
      for (const Match& match : capture.rewrites.matches_of(pass)) {
        const auto match_ns = match.dur_s >= 0 ? static_cast<std::int64_t>(match.dur_s * 1e9) : 1000;
        dur_ns += std::min(match_ns, kTimeBound_ns - at_ns - dur_ns);
      }
      spans.push_back({.name = pass.name, .start_ns = at_ns, .dur_ns = dur_ns, .matches = pass.match_count});
      spans[place].matches += pass.match_count;
      at_ns += dur_ns;
    }
    spans[place].dur_ns = at_ns - spans[place].start_ns;
  }
  return spans;
}

}  // namespace vizd
