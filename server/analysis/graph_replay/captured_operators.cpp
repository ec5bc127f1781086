#include "analysis/graph_replay/captured_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

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
    for (const GraphReplay& replay : replays_.replays) add_replay(replay);
  }

 private:
  struct Call {
    std::uint32_t number = 0;
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
      analysis_.operators.captured_of_item.set(item, place_of(work.said));
      const bool has_call = said.captured != nullptr && said.captured->call != kNoId;
      if (!has_call) {
        analysis_.operators.captured_call_of_item.set(item, calls_++);
        continue;
      }
      const auto [call, is_new] = by_call.try_emplace(said.captured->call, Call{.number = calls_});
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
    const std::optional<OperatorCost>& cost = cost_of(first);
    for (const std::uint32_t i : call.kernels) {
      const auto dur_ns = static_cast<double>(replays_.item(i).end_ns - replays_.item(i).start_ns);
      const double share = call.total_ns > 0 ? dur_ns / static_cast<double>(call.total_ns)
                                             : 1 / static_cast<double>(call.kernels.size());
      const std::size_t item = replays_.first_item + i;
      if (!cost) continue;
      analysis_.figures.flop.set(item, cost->flop * share);
      if (cost->bytes) analysis_.figures.bytes.set(item, *cost->bytes * share);
    }
  }

  // Calls of one captured launch cost the same.
  const std::optional<OperatorCost>& cost_of(std::uint32_t i) {
    const NamedWork& work = replays_.work[i];
    const auto [known, is_new] = costs_.try_emplace(work.said);
    if (!is_new) return known->second;
    const SaidOfWork& said = replays_.said_of(work);
    if (said.input_dims == kNoText) return known->second;  // captured for fewer than ran
    known->second = operator_cost({.name = text(said.captured->operator_name()),
                                   .dims = text(said.captured->input_dims),
                                   .types = text(said.captured->input_types),
                                   .concrete = text(said.captured->concrete_inputs),
                                   .kernel = replays_.name_of(i)});
    return known->second;
  }

  std::uint32_t place_of(std::uint32_t said_place) {
    std::uint32_t& place = place_of_said_[said_place];
    if (place != kNoId) return place;
    const SaidOfWork& said = replays_.said[said_place];
    CapturedOperator made{.name = std::string(text(said.operator_name)),
                          .module = spaced(text(said.module)),
                          .shapes = {},
                          .types = std::string(text(said.input_types))};
    const std::string inputs =
        operator_inputs_text({.dims = text(said.input_dims), .types = text(said.input_types), .strides = {}});
    made.shapes = fmt::format("{}{}{}", made.name, inputs.empty() ? "" : " ", inputs);
    place = static_cast<std::uint32_t>(told_.size());
    told_.push_back(std::move(made));
    return place;
  }

  std::string_view text(StringId id) const { return id == kNoText ? std::string_view() : replays_.text(id); }

  const GraphReplays& replays_;
  std::vector<CapturedOperator>& told_;
  std::uint32_t& calls_;
  DeviceAnalysis& analysis_;
  std::vector<std::uint32_t> place_of_said_;
  std::map<std::uint32_t, std::optional<OperatorCost>> costs_;  // by GraphReplays::said
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
