#include "formats/chrome_trace/trace_roots.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace vizd::chrome_trace {
namespace {

// Numbers that no program gives stay as they are.
bool can_be_moved(std::int64_t id, const Root& root) {
  constexpr std::int64_t kMostId = std::int64_t{1} << 62;
  return id >= 0 && id < kMostId - root.first_id;
}

}  // namespace

TraceRoots::TraceRoots(const Capture& capture) : strings_(capture.strings), tracks_(capture.profile.tracks) {
  for (const Fact& fact : capture.facts) {
    if (!fact.is_hidden || strings_.get(fact.name) != fact::kTimeOffset_ns) continue;
    const auto* const offset_ns = std::get_if<std::int64_t>(&fact.value);
    if (offset_ns != nullptr) roots_.push_back({fact.track, *offset_ns, "", 0});
  }
  // Several traces have a track each; what says otherwise is no trace that vizd has read.
  if (roots_.size() > 1) std::erase_if(roots_, [](const Root& root) { return root.track == kNoId; });
  if (roots_.empty()) roots_.push_back({kNoId, 0, "", 0});
  root_of_track_.resize(tracks_.size());
  std::unordered_map<std::uint32_t, std::size_t> of_track;
  for (std::size_t r = 0; r < roots_.size(); ++r) of_track.emplace(roots_[r].track, r);
  for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
    const std::uint32_t parent = tracks_[t].parent;  // comes before its children
    const auto found = of_track.find(t);
    root_of_track_[t] = found != of_track.end() ? found->second : parent < t ? root_of_track_[parent] : 0;
  }
  if (roots_.size() > 1) keep_apart();
}

// Every trace's times count from the first one's base, and its numbers are its own.
void TraceRoots::keep_apart() {
  std::int64_t next_id = 0;
  for (std::size_t r = 0; r < roots_.size(); ++r) {
    Root& root = roots_[r];
    root.offset_ns = roots_[0].offset_ns;
    root.prefix = std::string(strings_.get(tracks_[root.track].name)) + ": ";
    root.first_id = next_id;
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (root_of_track_[t] != r) continue;
      for (const ArgumentColumn& column : tracks_[t].arguments) {
        if (!is_id(column)) continue;
        column.numbers.for_each([&](std::int64_t id) {
          if (can_be_moved(id, root)) next_id = std::max(next_id, root.first_id + id + 1);
        });
      }
    }
  }
}

bool TraceRoots::is_id(const ArgumentColumn& column) const {
  const std::string_view name = strings_.get(column.name);
  return column.type == ArgumentType::kInteger && !column.is_hidden &&
         (name == "correlation" || name == "External id" || name == "external id");
}

ArgumentValue TraceRoots::written(const ArgumentColumn& column, const ArgumentValue& value, std::uint32_t track) const {
  const Root& root = of(track);
  const auto* const number = std::get_if<std::int64_t>(&value);
  const bool is_moved = root.first_id != 0 && number != nullptr && is_id(column) && can_be_moved(*number, root);
  return is_moved ? ArgumentValue(*number + root.first_id) : value;
}

}  // namespace vizd::chrome_trace
