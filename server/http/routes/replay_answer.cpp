#include "http/routes/replay_answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/answers/answer_json.h"

namespace vizd {
namespace {

bool has_any(const std::vector<bool>& items, const GraphReplays& replays) {
  const auto first = items.begin() + replays.first_item;
  return items.empty() || std::find(first, first + static_cast<std::ptrdiff_t>(replays.work.size()), true) !=
                              first + static_cast<std::ptrdiff_t>(replays.work.size());
}

std::string ranks_json(const KeptReplays& kept, const WorkScope& scope, const StepChoice& choice,
                       const WriteRank& write) {
  const Capture& capture = kept.loaded->capture;
  const EventLinks links(capture);
  static const DeviceWork kNoWork;
  const DeviceWork& work = kept.named->devices ? kept.named->devices->work : kNoWork;
  const std::vector<bool> items = scope.is_all() ? std::vector<bool>() : items_in_scope(capture, work, scope);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("ranks").begin_array();
  for (std::size_t place = 0; place < kept.ranks().size(); ++place) {
    const GraphReplays& replays = kept.ranks()[place];
    if (!has_any(items, replays)) continue;
    const ChosenWork chosen(replays, choice, items);
    const auto device = std::ranges::find(work.devices, replays.root, &WorkDevice::root);
    json.begin_object().key("place").number(place).key("rank");
    write_file_value(json, device == work.devices.end() ? FileValue() : device->rank, capture.strings);
    write(json, {replays, place, chosen}, links);
    json.end_object();
  }
  json.end_array().end_object();
  return text;
}

}  // namespace

Result<StepChoice> parse_step_choice(const Request& request) {
  StepChoice choice{.is_steady = request.parameter("steady") == "1"};
  if (const auto phase = request.parameter("phase")) {
    const auto found = std::ranges::find(kStepPhaseNames, *phase);
    if (found == std::end(kStepPhaseNames))
      return Error{ErrorKind::kBadInput, "no such phase of a server's step", "phase"};
    choice.phase = static_cast<StepPhase>(found - std::begin(kStepPhaseNames));
  }
  return choice;
}

Response kept_rank_answers(const Request& request, std::string_view name, const WriteRank& write,
                           const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto scope = parse_scope(request);
  if (!scope) return error_response(scope.error());
  const auto choice = parse_step_choice(request);
  if (!choice) return error_response(choice.error());
  const auto make = [of = *loaded, scope = *scope, choice = *choice, write, services]() -> Result<std::string> {
    const auto kept = replays_for_answer(of, services);
    if (!kept) return kept.error();
    return ranks_json(**kept, scope, choice, write);
  };
  const std::string key = fmt::format("{} {} {}{}", name, choice->is_steady ? "steady" : "all",
                                      choice->phase ? step_phase_name(*choice->phase) : "any", scope->key());
  return kept_json(request, *loaded, key, make, services);
}

}  // namespace vizd
