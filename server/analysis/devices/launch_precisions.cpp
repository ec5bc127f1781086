#include "analysis/devices/launch_precisions.h"

#include <cmath>
#include <map>
#include <variant>

#include "analysis/devices/kernel_names.h"
#include "analysis/figures/argument_cursor.h"

namespace vizd {

LaunchPrecisions::LaunchPrecisions(const Capture& capture, const DeviceWork& work, const Operators& operators,
                                   const WorkFigures& figures)
    : strings_(capture.strings), tracks_(capture.profile.tracks), work_(work), operators_(operators) {
  std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> by_track;  // the places of operators, by event
  for (std::size_t of = 0; of < figures.operator_flop.size(); ++of) {
    const ProfileEvent& event = operators.all[of];
    if (!std::isnan(figures.operator_flop[of])) by_track[event.track].emplace(event.event, of);
  }
  if (by_track.empty()) return;
  of_operator_.resize(operators.all.size());
  std::unordered_map<StringId, std::optional<Precision>> known;
  for (const auto& [track, events] : by_track) {
    ArgumentCursor types(tracks_[track], "Input type", strings_), older_types(tracks_[track], "Input types", strings_);
    for (const auto& [event, of] : events) {
      const auto type = types.at(event), value = type ? type : older_types.at(event);
      const auto* const text = value ? std::get_if<StringId>(&*value) : nullptr;
      if (text == nullptr) continue;
      const auto [found, is_new] = known.try_emplace(*text);
      if (is_new) found->second = precision_of_types(strings_.get(*text));
      of_operator_[of] = found->second;
    }
  }
}

std::optional<Precision> LaunchPrecisions::of(std::uint32_t item, Known& known) const {
  const auto by_inputs = of_inputs(item, known);
  if (by_inputs && *by_inputs != Precision::kFp32) return by_inputs;
  // Floats may be multiplied as TF32, which the name tells.
  const auto by_name = of_name(item, known);
  return !by_inputs || by_name == Precision::kTf32 ? by_name : by_inputs;
}

std::optional<Precision> LaunchPrecisions::of_inputs(std::uint32_t item, Known& known) const {
  if (const CapturedOperator* const captured = operators_.captured_of(item)) {
    const auto [found, is_new] = known.of_captured.try_emplace(captured);
    if (is_new) found->second = precision_of_types(captured->types);
    return found->second;
  }
  const std::uint32_t of = operators_.of_item[item];
  return of < of_operator_.size() ? of_operator_[of] : std::nullopt;
}

std::optional<Precision> LaunchPrecisions::of_name(std::uint32_t item, Known& known) const {
  const StringId name = tracks_[work_.items[item].track].events.name(work_.items[item].event);
  const auto [found, is_new] = known.of_name.try_emplace(name);
  if (is_new) found->second = precision_of_kernel(strings_.get(name));
  return found->second;
}

}  // namespace vizd
