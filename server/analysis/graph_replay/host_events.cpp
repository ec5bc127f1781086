#include "analysis/graph_replay/host_events.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace vizd {
namespace {

using Kind = HostEvent::Kind;

// What kind of host event a category is of.
class HostKinds {
 public:
  explicit HostKinds(const StringTable& strings)
      : kinds_{{{strings.find("cpu_op"), Kind::kOperator},
                {strings.find("python_function"), Kind::kFrame},
                {strings.find("user_annotation"), Kind::kAnnotation},
                {strings.find("cuda_runtime"), Kind::kCall},
                {strings.find("cuda_driver"), Kind::kCall}}} {}

  std::optional<Kind> of(StringId category) const {
    for (const auto& [known, kind] : kinds_) {
      if (known == category) return kind;
    }
    return std::nullopt;
  }

 private:
  const std::array<std::pair<StringId, Kind>, 5> kinds_;
};

}  // namespace

HostEvents::HostEvents(const Capture& capture, std::uint32_t root) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  const HostKinds kinds(capture.strings);
  std::map<std::pair<FileValue, FileValue>, std::uint32_t> known;
  thread_of_.assign(tracks.size(), kNoId);
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    if (!is_below(tracks, t, root)) continue;
    const EventColumns& events = tracks[t].events;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const auto kind = kinds.of(events.category(i));
      if (!kind || events.kind(i) != EventKind::kSpan) continue;
      if (thread_of_[t] == kNoId) {
        const std::pair numbers(process_number(tracks, t), thread_number(tracks, t));
        const auto [found, is_new] = known.try_emplace(numbers, static_cast<std::uint32_t>(threads_.size()));
        if (is_new) threads_.push_back({numbers.first, numbers.second, {}});
        thread_of_[t] = found->second;
      }
      HostEvent event;
      static_cast<ProfileEvent&>(event) = {
          .start_ns = events.start_ns(i), .end_ns = events.end_ns(i), .track = t, .event = i, .order = events.order(i)};
      event.kind = *kind, event.thread = thread_of_[t], event.name = events.name(i);
      (*kind == Kind::kCall ? calls_ : threads_[event.thread].events).push_back(event);
    }
  }
  for (HostThread& thread : threads_) {
    std::ranges::stable_sort(thread.events, [](const HostEvent& a, const HostEvent& b) {
      return std::tuple(a.start_ns, -a.end_ns, a.order) < std::tuple(b.start_ns, -b.end_ns, b.order);
    });
  }
  std::ranges::stable_sort(calls_, {},
                           [](const HostEvent& call) { return std::tuple(call.start_ns, call.end_ns, call.order); });
}

}  // namespace vizd
