#include "formats/trace_steps.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "formats/trace_devices.h"
#include "formats/trace_words.h"
#include "model/track_numbers.h"

namespace vizd::trace {
namespace {

// The digits at a text's end as a number; none where it ends otherwise.
std::optional<std::int64_t> last_number(std::string_view text) {
  const std::size_t before = text.find_last_not_of("0123456789");
  const std::string_view digits = before == text.npos ? text : text.substr(before + 1);
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return failed == std::errc() && !digits.empty() ? std::optional(number) : std::nullopt;
}

class StepFinder {
 public:
  StepFinder(Capture& capture, std::uint32_t first_track, std::uint32_t root_track)
      : capture_(capture), profile_(capture.profile), first_track_(first_track), root_track_(root_track) {}

  // The profiler's steps, else those that XLA's profiler draws on a line of their own, else events of the host that
  // tell which step they are.
  void find() {
    if (find_named() || find_on_lines()) return;
    find_numbered();
  }

 private:
  template <typename Visit>
  void for_each_track(Visit&& visit) {
    for (std::uint32_t t = first_track_; t < profile_.tracks.size(); ++t) {
      if (is_below(profile_.tracks, t, root_track_)) visit(profile_.tracks[t]);
    }
  }

  void add(const Track& track, std::uint32_t event, StringId name, std::int64_t number) {
    profile_.runs.push_back({.track = root_track_,
                             .kind = capture_.strings.add("step"),
                             .name = name,
                             .number = number,
                             .from_ns = track.events.start_ns(event),
                             .to_ns = track.events.end_ns(event)});
    has_any_ = true;
  }

  bool find_named() {
    std::set<StringId> known;
    for_each_track([&](const Track& track) {
      if (track.kind == TrackKind::kStream) return;  // the same steps again, as far as devices worked on them
      for (std::uint32_t i = 0; i < track.events.size(); ++i) {
        const StringId name = track.events.name(i);
        const std::string_view text = capture_.strings.get(name);
        if (!is_step(text) || track.events.kind(i) != EventKind::kSpan || !known.insert(name).second) continue;
        const std::string_view number = text.substr(std::min(text.find('#') + 1, text.size()));
        std::int64_t value = 0;
        std::from_chars(number.data(), number.data() + number.size(), value);
        add(track, i, name, value);
      }
    });
    return has_any_;
  }

  // One device's are enough: all have the same.
  bool find_on_lines() {
    for_each_track([&](const Track& track) {
      if (has_any_ || capture_.strings.get(track.name) != "Steps" || track.parent == Track::kNoParent) return;
      const std::string_view device = capture_.strings.get(profile_.tracks[track.parent].name);
      if (named_process(device, "").kind != NamedProcess::Kind::kXla) return;
      for (std::uint32_t i = 0; i < track.events.size(); ++i) {
        const auto number = last_number(capture_.strings.get(track.events.name(i)));
        if (number && track.events.kind(i) == EventKind::kSpan) add(track, i, track.events.name(i), *number);
      }
    });
    return has_any_;
  }

  void find_numbered() {
    const StringId name = capture_.strings.find("step_num");
    if (name == StringId{kNoId}) return;
    std::set<std::int64_t> known;
    for_each_track([&](const Track& track) {
      if (track.kind == TrackKind::kStream) return;
      for (const ArgumentColumn& column : track.arguments) {
        if (column.name != name || column.is_hidden) continue;
        for (std::size_t k = 0; k < column.size(); ++k) {
          const auto number = number_of(column.value(k));
          if (!number || track.events.kind(column.event(k)) != EventKind::kSpan || !known.insert(*number).second)
            continue;
          const std::string text(capture_.strings.get(track.events.name(column.event(k))));
          add(track, column.event(k), capture_.strings.add(text + " " + std::to_string(*number)), *number);
        }
      }
    });
  }

  std::optional<std::int64_t> number_of(const ArgumentValue& value) const {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) return *number;
    const auto* const text = std::get_if<StringId>(&value);
    return text == nullptr ? std::nullopt : last_number(capture_.strings.get(*text));
  }

  Capture& capture_;
  Profile& profile_;
  const std::uint32_t first_track_, root_track_;
  bool has_any_ = false;
};

}  // namespace

void add_steps(Capture& capture, std::uint32_t first_track, std::uint32_t root_track) {
  StepFinder(capture, first_track, root_track).find();
}

}  // namespace vizd::trace
