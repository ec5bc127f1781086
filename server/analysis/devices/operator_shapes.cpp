#include "analysis/devices/operator_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/figures/argument_cursor.h"
#include "analysis/pytorch/operator_inputs.h"

namespace vizd {
namespace {

StringId text_of(const std::optional<ArgumentValue>& value) {
  const auto* const text = value ? std::get_if<StringId>(&*value) : nullptr;
  return text == nullptr ? StringId{} : *text;
}

}  // namespace

OperatorShapes find_operator_shapes(const Capture& capture, const Operators& operators) {
  const StringTable& strings = capture.strings;
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> by_track;
  for (std::uint32_t i = 0; i < operators.all.size(); ++i)
    by_track[operators.all[i].track].emplace_back(operators.all[i].event, i);
  OperatorShapes shapes;
  shapes.of_operator.resize(operators.all.size());
  std::map<std::tuple<StringId, StringId, StringId, StringId>, std::uint32_t> known;  // by what is recorded
  std::map<std::string, std::uint32_t> places;
  for (auto& [place, events] : by_track) {
    std::ranges::sort(events);
    const Track& track = capture.profile.tracks[place];
    ArgumentCursor dims(track, "Input Dims", strings), strides(track, "Input Strides", strings);
    ArgumentCursor types(track, "Input type", strings), older_types(track, "Input types", strings);
    for (const auto& [event, i] : events) {
      const auto type = types.at(event);
      const std::tuple recorded(track.events.name(event), text_of(dims.at(event)),
                                text_of(type ? type : older_types.at(event)), text_of(strides.at(event)));
      const auto [found, is_new] = known.try_emplace(recorded);
      if (is_new) {
        const auto& [name, of_dims, of_types, of_strides] = recorded;
        const std::string inputs = operator_inputs_text(
            {.dims = strings.get(of_dims), .types = strings.get(of_types), .strides = strings.get(of_strides)});
        std::string text = fmt::format("{}{}{}", strings.get(name), inputs.empty() ? "" : " ", inputs);
        found->second = places.try_emplace(text, static_cast<std::uint32_t>(shapes.texts.size())).first->second;
        if (found->second == shapes.texts.size()) shapes.texts.push_back(std::move(text));
      }
      shapes.of_operator[i] = found->second;
    }
  }
  return shapes;
}

}  // namespace vizd
