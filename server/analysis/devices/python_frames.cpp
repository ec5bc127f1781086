#include "analysis/devices/python_frames.h"

#include <algorithm>

#include "model/module_names.h"

namespace vizd {

PythonFrames::PythonFrames(const Track& track, const StringTable& strings) {
  const StringId python = strings.find(kPythonCategory);
  if (python == StringId{kNoId}) return;
  const EventColumns& events = track.events;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events.category(i) == python && events.kind(i) == EventKind::kSpan)
      frames_.push_back({events.start_ns(i), events.end_ns(i), kNoId, strings.get(events.name(i))});
  }
  std::ranges::stable_sort(frames_, [](const Frame& a, const Frame& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  });
  std::uint32_t open = kNoId;
  for (std::uint32_t f = 0; f < frames_.size(); ++f) {
    while (open != kNoId && frames_[open].end_ns <= frames_[f].start_ns) open = frames_[open].parent;
    frames_[f].parent = std::exchange(open, f);
  }
}

std::uint32_t PythonFrames::at(std::int64_t at_ns) {
  for (; next_ < frames_.size() && frames_[next_].start_ns <= at_ns; ++next_) open_ = static_cast<std::uint32_t>(next_);
  while (open_ != kNoId && frames_[open_].end_ns <= at_ns) open_ = frames_[open_].parent;
  return open_;
}

std::string PythonFrames::modules(std::uint32_t frame) const {
  std::string path;
  for (; frame != kNoId; frame = frames_[frame].parent) {
    if (!is_module_name(frames_[frame].name)) continue;
    const std::string_view name = module_name(frames_[frame].name);
    path = path.empty() ? std::string(name) : std::string(name).append(" / ").append(path);
  }
  return path;
}

std::string_view PythonFrames::line(std::uint32_t frame) const {
  std::string_view library;
  for (; frame != kNoId; frame = frames_[frame].parent) {
    const PythonLine line = python_line(frames_[frame].name);
    if (line == PythonLine::kOwn) return frames_[frame].name;
    if (line == PythonLine::kLibrary && library.empty()) library = frames_[frame].name;
  }
  return library;
}

std::vector<std::string_view> PythonFrames::stack(std::uint32_t frame, std::size_t most) const {
  std::vector<std::string_view> names;
  for (; frame != kNoId && names.size() < most; frame = frames_[frame].parent) names.push_back(frames_[frame].name);
  return names;
}

}  // namespace vizd
