// HostCalls: what a framework's host did, thread by thread: calls of its operators, and the ranges that its program
// annotates, as they lie in one another. Refers to the capture. Made once for each rank; reading may be done by any
// thread.
//
// Nesting is PyTorch's (torch/autograd/profiler_util.py): a call lies in another of its thread that begins no later,
// has not ended when it begins, and ends no earlier. Python frames and calls of a device's runtime are no operators.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/devices/device_work.h"
#include "analysis/devices/work_scope.h"

namespace vizd {

struct HostCall : ProfileEvent {
  std::uint32_t parent = kNoId;  // place in the list: the innermost call that holds it
  std::uint32_t children = 0;    // that lie directly in it
  std::int64_t children_ns = 0;  // how long these took
  std::uint32_t whole = kNoId;   // place in the list: the call of the same name that it is the one call in; kNoId: none
  bool is_operator = false;      // otherwise an annotated range

  std::int64_t dur_ns() const { return end_ns - start_ns; }
  // Without what lies in it.
  std::int64_t self_ns() const { return dur_ns() - children_ns; }
};

// Thread by thread in order of time, what holds before what is held.
using HostCalls = std::vector<HostCall>;

// Finds the calls of the threads below that track; kNoId: of all threads.
HostCalls find_host_calls(const Capture& capture, std::uint32_t root);

// As tables call it: steps are one, however they are numbered.
std::string_view host_call_name(std::string_view recorded);

// The number of the rank whose track that is, as the capture tells it.
FileValue rank_of(const Capture& capture, std::uint32_t root);

// HostScope: the calls of the host that a scope selects: of one rank, and begun in a range or a step. It ignores the
// scope's devices and kernels.
class HostScope {
 public:
  HostScope(const Capture& capture, const WorkScope& scope, std::uint32_t root);

  bool has_rank() const { return has_rank_; }  // none of it is in the scope otherwise
  bool holds(const ProfileEvent& event) const {
    return (!range_ || range_->holds(event.start_ns, event.start_ns)) &&
           (!step_ || (event.start_ns >= step_->from_ns && event.start_ns < step_->to_ns));
  }
  // The part of a span that lies in the scope; empty where none does.
  TimeSpan cut(TimeSpan span) const {
    if (range_) span = {range_->nearest(span.from_ns), range_->nearest(span.to_ns)};
    if (step_)
      span = {std::clamp(span.from_ns, step_->from_ns, step_->to_ns),
              std::clamp(span.to_ns, step_->from_ns, step_->to_ns)};
    return span;
  }

 private:
  bool has_rank_ = true;
  std::optional<WorkRange> range_;
  std::optional<TimeSpan> step_;
};

}  // namespace vizd
