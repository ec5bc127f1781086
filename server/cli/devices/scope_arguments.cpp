#include "cli/devices/scope_arguments.h"

namespace vizd {
namespace {

template <typename Value>
std::optional<Value> if_given(const std::optional<Argument>& argument, const Value& value) {
  return argument && argument->is_given() ? std::optional(value) : std::nullopt;
}

}  // namespace

void ScopeArguments::describe(CommandLine& line) {
  has_step_ = line.option("--step N", step_,
                          "Only work launched in the step with this number; for graph replays A..B means several");
  has_rank_ = line.option("--rank RANK", rank_, "Only this rank, as in the column rank");
  has_device_ = line.option("--device DEVICE", device_, "Only this device, as in the column device");
  has_from_ = line.time("--from TIME", from_ns_,
                        "Only work after this time from the profile's start: 5ms, 1.5s, 200us, or a number of "
                        "nanoseconds; work is cut at it");
  has_to_ = line.time("--until TIME", to_ns_, "Only work before this time");
  has_kernel_ = line.option("--kernel NAME", kernel_,
                            "Only launches of the kernel with exactly this name; breakdown counts all work");
  line.check([this]() -> std::string {
    const bool is_wrong = has_from_->is_given() && has_to_->is_given() && from_ns_ > to_ns_;
    if (has_step_->is_given() && !steps()) return "--step: '" + step_ + "' is neither a number nor a range A..B";
    return is_wrong ? "--from is after --until" : "";
  });
}

std::optional<StepNumbers> ScopeArguments::steps() const {
  return has_step_ && has_step_->is_given() ? parse_step_numbers(step_) : std::nullopt;
}

std::string ScopeArguments::problem_of_replays() const {
  for (const auto& argument : {has_from_, has_to_, has_rank_, has_device_, has_kernel_}) {
    if (argument && argument->is_given())
      return "answers about graph replays can be narrowed only by --step, --phase and --steady";
  }
  return "";
}

std::string ScopeArguments::problem_of_others(const ServerStepArguments& server) const {
  if (server.is_given()) return "--phase and --steady apply only to answers about graph replays";
  const auto several = steps();
  return several && several->first != several->second ? "--step A..B applies only to answers about graph replays" : "";
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
