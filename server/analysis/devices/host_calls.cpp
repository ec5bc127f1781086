#include "analysis/devices/host_calls.h"

#include <algorithm>
#include <unordered_map>

#include "analysis/figures/steps.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

constexpr std::string_view kNumberedStep = "ProfilerStep#", kAnyStep = "ProfilerStep*";
constexpr std::string_view kAnnotatedCategory = "user_annotation";
// PyTorch leaves these out of its own tables: calls of its profiler, and queries of tensors about themselves.
constexpr std::string_view kLeftOut[] = {"profiler::_record_function_enter",
                                         "profiler::_record_function_enter_new",
                                         "profiler::_record_function_exit",
                                         "aten::is_leaf",
                                         "aten::output_nr",
                                         "aten::_version"};

enum class CallKind : std::uint8_t { kNone, kAnnotation, kOperator };

class CallFinder {
 public:
  explicit CallFinder(const Capture& capture) : strings_(capture.strings), tracks_(capture.profile.tracks) {}

  HostCalls find(std::uint32_t root) {
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (!tracks_[t].events.empty() && is_below(tracks_, t, root) && !is_of_device(t)) add_thread(t);
    }
    for (HostCall& call : calls_) {
      if (call.parent == kNoId) continue;
      const HostCall& parent = calls_[call.parent];
      if (parent.children == 1 && name_of(parent) == name_of(call))
        call.whole = parent.whole == kNoId ? call.parent : parent.whole;
    }
    return std::move(calls_);
  }

 private:
  bool is_of_device(std::uint32_t t) const {
    const TrackKind kind = tracks_[t].kind;
    return kind == TrackKind::kDevice || kind == TrackKind::kEngine || kind == TrackKind::kStream;
  }

  CallKind kind_of(const EventColumns& events, std::uint32_t i) {
    if (events.kind(i) != EventKind::kSpan) return CallKind::kNone;
    const bool is_operator = events.role(i) == EventRole::kOperator;
    const StringId category = events.category(i), name = events.name(i);
    if (!is_operator && category != annotation_) return CallKind::kNone;
    const auto [known, is_new] = kinds_.try_emplace(name, false);
    if (is_new) known->second = std::ranges::find(kLeftOut, strings_.get(name)) != std::end(kLeftOut);
    if (known->second) return CallKind::kNone;
    return is_operator ? CallKind::kOperator : CallKind::kAnnotation;
  }

  void add_thread(std::uint32_t t) {
    const EventColumns& events = tracks_[t].events;
    const std::size_t first = calls_.size();
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const CallKind kind = kind_of(events, i);
      if (kind == CallKind::kNone) continue;
      HostCall& call = calls_.emplace_back();
      call.start_ns = events.start_ns(i);
      call.end_ns = events.end_ns(i);
      call.track = t;
      call.event = i;
      call.order = events.order(i);
      call.is_operator = kind == CallKind::kOperator;
    }
    const auto added = std::ranges::subrange(calls_.begin() + static_cast<std::ptrdiff_t>(first), calls_.end());
    const auto is_before = [](const HostCall& a, const HostCall& b) {
      if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
      return a.end_ns != b.end_ns ? a.end_ns > b.end_ns : a.order < b.order;
    };
    if (!std::ranges::is_sorted(added, is_before)) std::ranges::stable_sort(added, is_before);
    nest(first);
  }

  // Nests the calls from that one on, which are all of one thread.
  void nest(std::size_t first) {
    std::vector<std::uint32_t> open;
    for (std::size_t i = first; i < calls_.size(); ++i) {
      HostCall& call = calls_[i];
      const auto holds = [&](const HostCall& of) { return call.start_ns < of.end_ns && call.end_ns <= of.end_ns; };
      while (!open.empty() && !holds(calls_[open.back()])) open.pop_back();
      if (!open.empty()) {
        call.parent = open.back();
        HostCall& parent = calls_[call.parent];
        ++parent.children;
        parent.children_ns += call.dur_ns();
      }
      open.push_back(static_cast<std::uint32_t>(i));
    }
  }

  std::string_view name_of(const HostCall& call) const {
    return host_call_name(strings_.get(tracks_[call.track].events.name(call.event)));
  }

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const StringId annotation_ = strings_.find(kAnnotatedCategory);
  std::unordered_map<StringId, bool> kinds_;  // by name: whether it is left out
  HostCalls calls_;
};

}  // namespace

HostCalls find_host_calls(const Capture& capture, std::uint32_t root) {
  if (!capture.profile.is_trace) return {};
  return CallFinder(capture).find(root);
}

std::string_view host_call_name(std::string_view recorded) {
  return recorded.starts_with(kNumberedStep) ? kAnyStep : recorded;
}

FileValue rank_of(const Capture& capture, std::uint32_t root) {
  for (const Fact& fact : capture.facts) {
    if (fact.track != root || fact.is_hidden) continue;
    if (capture.strings.get(fact.subject) == "distributedInfo" && capture.strings.get(fact.name) == "rank")
      return fact.value;
  }
  return root == kNoId ? std::nullopt : capture.profile.tracks[root].number;
}

HostScope::HostScope(const Capture& capture, const WorkScope& scope, std::uint32_t root)
    : range_(scope.range_in(capture.profile)) {
  if (scope.rank) {
    const FileValue rank = rank_of(capture, root);
    has_rank_ = !rank || value_text(*rank, capture.strings) == *scope.rank;
  }
  if (!scope.step) return;
  const Run* const step = Steps(capture.profile, capture.strings, root).of_number(*scope.step);
  if (step == nullptr) {
    has_rank_ = false;
  } else {
    step_ = TimeSpan{step->from_ns, step->to_ns};
  }
}

}  // namespace vizd
