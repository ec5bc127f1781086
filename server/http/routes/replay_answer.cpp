#include "http/routes/replay_answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/answers/answer_json.h"
#include "analysis/graph_replay/kept_names.h"
#include "derived/naming_sources.h"

namespace vizd {
namespace {

// wait: gives what a ticket stands for.
template <typename Wait>
Result<std::shared_ptr<const KeptReplays>> replays_by(const Wait& wait, const Loaded& loaded,
                                                      const Services& services) {
  // Most captures have neither graphs nor steps: of those nothing is made.
  if (!may_have_replays(loaded->capture) && !may_have_steps(loaded->capture))
    return std::make_shared<const KeptReplays>(KeptReplays{loaded, std::make_shared<const NamedReplays>()});
  auto devices = wait(devices_of(loaded, services));
  if (!devices) return std::move(devices).error();
  const auto make = [loaded, of = *std::move(devices)](const ReportProgress&,
                                                       std::stop_token) -> Result<std::shared_ptr<const KeptReplays>> {
    return std::make_shared<const KeptReplays>(KeptReplays{loaded, find_named_replays(*loaded, of)});
  };
  // Beside the analyses, which it is made of: no making waits for another one of its store.
  return wait(services.passes.get<KeptReplays>(loaded, "replays", make));
}

Result<StepChoice> parse_step_choice(const Request& request) {
  StepChoice choice{.is_steady = request.parameter("steady") == "1"};
  if (const auto phase = request.parameter("phase")) {
    const auto found = std::ranges::find(kStepPhaseNames, *phase);
    if (found == std::end(kStepPhaseNames))
      return Error{ErrorKind::kBadInput, "there is no such phase of a server's step", "phase"};
    choice.phase = static_cast<StepPhase>(found - std::begin(kStepPhaseNames));
  }
  return choice;
}

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

Result<std::shared_ptr<const KeptReplays>> replays_of(const Loaded& loaded, const Request& request,
                                                      const Services& services) {
  return replays_by([&](const auto& ticket) { return wait_for(ticket, request, services); }, loaded, services);
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
    // On a thread that makes answers: no request waits there.
    const auto kept = replays_by([](const auto& ticket) { return ticket.wait(kAnswerPatience); }, of, services);
    if (!kept) return kept.error();
    return ranks_json(**kept, scope, choice, write);
  };
  const std::string key = fmt::format("{} {} {}{}", name, choice->is_steady ? "steady" : "all",
                                      choice->phase ? step_phase_name(*choice->phase) : "any", scope->key());
  return kept_json(request, *loaded, key, make, services);
}

}  // namespace vizd
