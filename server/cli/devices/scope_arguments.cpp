#include "cli/devices/scope_arguments.h"

namespace vizd {
namespace {

template <typename Value>
std::optional<Value> if_given(const std::optional<Argument>& argument, const Value& value) {
  return argument && argument->is_given() ? std::optional(value) : std::nullopt;
}

}  // namespace

void ScopeArguments::describe(CommandLine& line) {
  has_step_ = line.option("--step N", step_, "Only work launched in the step of that number");
  has_rank_ = line.option("--rank RANK", rank_, "Only of that rank, as the column rank has it");
  has_device_ = line.option("--device DEVICE", device_, "Only of that device, as the column device has it");
  has_from_ =
      line.option("--from NS", from_ns_, "Only what lies after this time from the profile's start; work is cut to it");
  has_to_ = line.option("--until NS", to_ns_, "Only what lies before this time; likewise");
  has_kernel_ =
      line.option("--kernel NAME", kernel_, "Only launches of the kernel of that whole name; a breakdown is of all");
  line.check([this]() -> std::string {
    const bool is_wrong = has_from_->is_given() && has_to_->is_given() && from_ns_ > to_ns_;
    return is_wrong ? "--from lies after --until" : "";
  });
}

WorkScope ScopeArguments::scope() const {
  return {.from_ns = if_given(has_from_, from_ns_),
          .to_ns = if_given(has_to_, to_ns_),
          .step = if_given(has_step_, step_),
          .rank = if_given(has_rank_, rank_),
          .device = if_given(has_device_, device_),
          .kernel = if_given(has_kernel_, kernel_)};
}

}  // namespace vizd
