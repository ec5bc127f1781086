#include "cli/devices/scope_arguments.h"

namespace vizd {
namespace {

template <typename Value>
std::optional<Value> if_given(const std::optional<Argument>& argument, const Value& value) {
  return argument && argument->is_given() ? std::optional(value) : std::nullopt;
}

}  // namespace

void ScopeArguments::describe(CommandLine& line) {
  has_step_ =
      line.option("--step N", step_, "Only work launched in the step of that number; of graph replays A..B is several");
  has_rank_ = line.option("--rank RANK", rank_, "Only of that rank, as the column rank has it");
  has_device_ = line.option("--device DEVICE", device_, "Only of that device, as the column device has it");
  has_from_ =
      line.option("--from NS", from_ns_, "Only what lies after this time from the profile's start; work is cut to it");
  has_to_ = line.option("--until NS", to_ns_, "Only what lies before this time; likewise");
  has_kernel_ =
      line.option("--kernel NAME", kernel_, "Only launches of the kernel of that whole name; a breakdown is of all");
  line.check([this]() -> std::string {
    const bool is_wrong = has_from_->is_given() && has_to_->is_given() && from_ns_ > to_ns_;
    if (has_step_->is_given() && !steps()) return "--step: '" + step_ + "' is neither a number nor A..B";
    return is_wrong ? "--from lies after --until" : "";
  });
}

std::optional<StepNumbers> ScopeArguments::steps() const {
  return has_step_ && has_step_->is_given() ? parse_step_numbers(step_) : std::nullopt;
}

std::string ScopeArguments::problem_of_replays() const {
  for (const auto& argument : {has_from_, has_to_, has_rank_, has_device_, has_kernel_}) {
    if (argument && argument->is_given())
      return "answers about graph replays are narrowed by --step, --phase and --steady alone";
  }
  return "";
}

std::string ScopeArguments::problem_of_others(const ServerStepArguments& server) const {
  if (server.is_given()) return "--phase and --steady go with answers about graph replays";
  const auto several = steps();
  return several && several->first != several->second ? "--step A..B goes with answers about graph replays" : "";
}

WorkScope ScopeArguments::scope() const {
  return {.from_ns = if_given(has_from_, from_ns_),
          .to_ns = if_given(has_to_, to_ns_),
          .step = steps() ? std::optional(steps()->first) : std::nullopt,
          .rank = if_given(has_rank_, rank_),
          .device = if_given(has_device_, device_),
          .kernel = if_given(has_kernel_, kernel_)};
}

}  // namespace vizd
