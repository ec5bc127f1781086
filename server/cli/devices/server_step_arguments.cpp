#include "cli/devices/server_step_arguments.h"

#include <algorithm>
#include <charconv>

namespace vizd {

std::optional<StepNumbers> parse_step_numbers(const std::string& text) {
  const auto number_of = [](std::string_view digits) -> std::optional<std::int64_t> {
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_whole = failed == std::errc() && end == digits.data() + digits.size();
    return is_whole ? std::optional(number) : std::nullopt;
  };
  constexpr std::string_view kTo = "..";
  const std::string_view whole = text;
  const std::size_t at = whole.find(kTo);
  const auto first = number_of(whole.substr(0, at));
  const auto last = at == whole.npos ? first : number_of(whole.substr(at + kTo.size()));
  return first && last && *first <= *last ? std::optional(StepNumbers(*first, *last)) : std::nullopt;
}

void ServerStepArguments::describe(CommandLine& line) {
  line.flag("--steady", is_steady_, "For graph replays: only the steps of the server's steady window");
  line.option("--phase WORD", phase_, "For graph replays: only the server's steps of this phase: decode, prefill, …")
      .one_of({std::begin(kStepPhaseNames), std::end(kStepPhaseNames)});
}

bool ServerStepArguments::is_given() const { return is_steady_ || !phase_.empty(); }

StepChoice ServerStepArguments::choice(const std::optional<StepNumbers>& steps) const {
  StepChoice choice{.is_steady = is_steady_, .phase = {}, .steps = steps};
  const auto phase = std::ranges::find(kStepPhaseNames, phase_);
  if (phase != std::end(kStepPhaseNames)) choice.phase = static_cast<StepPhase>(phase - std::begin(kStepPhaseNames));
  return choice;
}

}  // namespace vizd
