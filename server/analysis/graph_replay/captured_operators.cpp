#include "analysis/graph_replay/captured_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "analysis/graph_replay/replay_holes.h"
#include "analysis/pytorch/attention_heads.h"
#include "analysis/pytorch/operator_bytes.h"
#include "analysis/pytorch/operator_cost.h"
#include "analysis/pytorch/operator_inputs.h"

namespace vizd {
namespace {

// A path of modules as tables write those around a call: "Net_0 / Layer_1".
std::string spaced(std::string_view path) {
  std::string text;
  for (const char c : path) {
    if (c == '/')
      text += " / ";
    else
      text += c;
  }
  return text;
}

// Adds what is said in one rank to the analysis.
class CapturedOperators {
 public:
  CapturedOperators(const GraphReplays& replays, std::vector<CapturedOperator>& told, std::uint32_t& calls,
                    DeviceAnalysis& analysis)
      : replays_(replays),
        told_(told),
        calls_(calls),
        analysis_(analysis),
        place_of_said_(replays.said.size(), kNoId) {}

  void add() {
    for (std::uint32_t r = 0; r < replays_.replays.size(); ++r) {
      add_replay(replays_.replays[r]);
      for (const ReplayHole& hole : replay_holes(replays_, r)) {
        if (hole.start_ns < hole.end_ns) analysis_.work.lost.push_back({{hole.start_ns, hole.end_ns}, hole.stream});
      }
    }
  }

 private:
  struct Call {
    std::uint32_t number = 0, step = kNoId;
    std::int64_t total_ns = 0;
    std::vector<std::uint32_t> kernels = {};  // places in GraphReplays::work
  };

  void add_replay(const GraphReplay& replay) {
    std::map<std::uint32_t, Call> by_call;
    for (const std::uint32_t i : replay.items) {
      const NamedWork& work = replays_.work[i];
      const SaidOfWork& said = replays_.said_of(work);
      if (said.operator_name == kNoText && said.module == kNoText) continue;
      const std::size_t item = replays_.first_item + i;
      analysis_.operators.captured_of_item.set(item, place_of(i));
      const bool has_call = said.captured != nullptr && said.captured->call() != kNoId;
      if (!has_call) {
        analysis_.operators.captured_call_of_item.set(item, calls_++);
        continue;
      }
      const auto [call, is_new] = by_call.try_emplace(said.captured->call(), Call{.number = calls_, .step = work.step});
      if (is_new) ++calls_;
      analysis_.operators.captured_call_of_item.set(item, call->second.number);
      if (!replays_.item(i).is_compute()) continue;
      call->second.kernels.push_back(i);
      call->second.total_ns += replays_.item(i).end_ns - replays_.item(i).start_ns;
    }
    for (const auto& [place, call] : by_call) share_cost(call);
  }

  void share_cost(const Call& call) {
    if (call.kernels.empty()) return;
    const std::uint32_t first = call.kernels.front();
    const auto cost = cost_in(call.step, first);
    if (!cost) return;
    for (const std::uint32_t i : call.kernels) {
      const auto dur_ns = static_cast<double>(replays_.item(i).end_ns - replays_.item(i).start_ns);
      const double share = call.total_ns > 0 ? dur_ns / static_cast<double>(call.total_ns)
                                             : 1 / static_cast<double>(call.kernels.size());
      const std::size_t item = replays_.first_item + i;
      if (cost->flop > 0) analysis_.figures.flop.set(item, cost->flop * share);
      if (cost->bytes) analysis_.figures.bytes.set(item, *cost->bytes * share);
    }
  }

  // By the captured shapes; what a server's attention does depends on the step's requests.
  std::optional<OperatorCost> cost_in(std::uint32_t step, std::uint32_t i) {
    const KnownCost& known = cost_of(i);
    if (!known.heads) return known.cost;
    const auto sums = step == kNoId ? std::nullopt : replays_.steps[step].says.attention();
    return sums ? std::optional(known.heads->cost(*sums)) : std::nullopt;
  }

  struct KnownCost {
    std::optional<OperatorCost> cost = {};     // of each call
    std::optional<AttentionHeads> heads = {};  // where it depends on the step
  };

  // Calls of one captured launch have the same shapes.
  const KnownCost& cost_of(std::uint32_t i) {
    const NamedWork& work = replays_.work[i];
    const auto [found, is_new] = costs_.try_emplace(work.said);
    KnownCost& known = found->second;
    const SaidOfWork& said = replays_.said_of(work);
    if (!is_new || said.input_dims == kNoText) return known;  // none: captured for fewer than ran
    const OperatorInputs inputs{.name = text(said.captured->operator_name()),
                                .dims = text(said.captured->input_dims),
                                .types = text(said.captured->input_types),
                                .concrete = text(said.captured->concrete_inputs),
                                .kernel = replays_.name_of(i)};
    known.cost = operator_cost(inputs);
    if (!known.cost) {
      if (const auto moved = operator_bytes(inputs)) known.cost = OperatorCost{.flop = 0, .bytes = moved->bytes};
    }
    if (!known.cost) known.heads = attention_heads(inputs);
    return known;
  }

  std::uint32_t place_of(std::uint32_t i) {
    std::uint32_t& place = place_of_said_[replays_.work[i].said];
    if (place != kNoId) return place;
    const SaidOfWork& said = replays_.said_of(replays_.work[i]);
    CapturedOperator made{.name = std::string(text(said.operator_name)),
                          .module = spaced(text(said.module)),
                          .shapes = {},
                          .types = std::string(text(said.input_types))};
    const std::string inputs =
        operator_inputs_text({.dims = text(said.input_dims), .types = text(said.input_types), .strides = {}});
    made.shapes = fmt::format("{}{}{}", made.name, inputs.empty() ? "" : " ", inputs);
    add_modules(said, made.frames);
    add_operators(said, made.frames);
    const KnownCost& known = cost_of(i);
    made.source = known.heads ? WorkSource::kStepSums : WorkSource::kGraphCapture;
    if (known.cost) made.attention = known.cost->mask, made.causal_share = known.cost->causal_share;
    if (known.heads) made.attention = AttentionMask::kCausal;
    place = static_cast<std::uint32_t>(told_.size());
    told_.push_back(std::move(made));
    return place;
  }

  // "Net_0/Layer_1/Linear_2" is three, "model.layers.3.mlp" of an annotation its layer and what is in it.
  void add_modules(const SaidOfWork& said, std::vector<CapturedOperator::Frame>& frames) const {
    std::string_view path = text(said.module);
    const std::string_view layer = text(said.layer);
    if (!layer.empty() && path.find('/') == path.npos && path.starts_with(layer) && path.size() > layer.size()) {
      frames.push_back({.name = std::string(layer)});
      path.remove_prefix(layer.size() + 1);
    }
    while (!path.empty()) {
      const std::size_t end = std::min(path.find('/'), path.size());
      if (end > 0) frames.push_back({.name = std::string(path.substr(0, end))});
      path.remove_prefix(std::min(end + 1, path.size()));
    }
  }

  void add_operators(const SaidOfWork& said, std::vector<CapturedOperator::Frame>& frames) const {
    const std::vector<StringId>* const operators = said.operators;
    if (operators == nullptr) {
      if (said.operator_name != kNoText)
        frames.push_back({.name = std::string(text(said.operator_name)), .is_operator = true});
      return;
    }
    const LaunchContext* const captured = said.captured;
    for (std::size_t k = 0; k < operators->size(); ++k) {
      const bool is_numbered = captured != nullptr && captured->calls.size() == operators->size();
      frames.push_back({.name = std::string(text((*operators)[k])),
                        .is_operator = true,
                        .call = is_numbered ? captured->calls[k] : kNoId});
    }
  }

  std::string_view text(StringId id) const { return id == kNoText ? std::string_view() : replays_.text(id); }

  const GraphReplays& replays_;
  std::vector<CapturedOperator>& told_;
  std::uint32_t& calls_;
  DeviceAnalysis& analysis_;
  std::vector<std::uint32_t> place_of_said_;
  std::map<std::uint32_t, KnownCost> costs_;  // by GraphReplays::said
};

}  // namespace

std::shared_ptr<const DeviceAnalysis> with_captured_operators(const NamedReplays& replays) {
  const auto tells = [](const NamedWork& work) { return work.replay != kNoId && work.found != Found::kNone; };
  const bool is_any_told = std::ranges::any_of(
      replays.ranks, [&](const GraphReplays& rank) { return std::ranges::any_of(rank.work, tells); });
  if (!is_any_told) return replays.devices;
  auto analysis = std::make_shared<DeviceAnalysis>(*replays.devices);
  std::vector<CapturedOperator> told;
  std::uint32_t calls = 0;
  for (const GraphReplays& rank : replays.ranks) CapturedOperators(rank, told, calls, *analysis).add();
  analysis->operators.captured = std::make_shared<const std::vector<CapturedOperator>>(std::move(told));
  return analysis;
}

}  // namespace vizd
