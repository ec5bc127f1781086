#include "analysis/graph_replay/replay_query.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "analysis/graph_replay/module_kind.h"
#include "base/ascii_case.h"

namespace vizd {
namespace {

constexpr std::string_view kQueryWords[] = {"layer", "piece", "module", "operator", "found",
                                            "phase", "step",  "replay", "graph",    "node"};
constexpr std::string_view kSlowest = "slowest";

// By graph the replay that took longest, the first of such.
std::vector<std::uint32_t> slowest_replays(const GraphReplays& replays) {
  std::vector<std::uint32_t> slowest;
  const auto span_ns = [&](std::uint32_t r) {
    const GraphReplay& replay = replays.replays[r];
    std::int64_t end_ns = replays.item(replay.first).end_ns;
    for (const std::uint32_t i : replay.items) end_ns = std::max(end_ns, replays.item(i).end_ns);
    return end_ns - replays.item(replay.first).start_ns;
  };
  for (const ReplayedGraph& graph : replays.graphs)
    slowest.push_back(graph.replays.empty() ? kNoId : *std::ranges::max_element(graph.replays, {}, span_ns));
  return slowest;
}

class ReplayConditions {
 public:
  ReplayConditions(const GraphReplays& replays, const ReplayQuery& query)
      : replays_(replays), query_(query), kinds_(replays), slowest_(slowest_replays(replays)) {}

  bool hold(std::uint32_t i) {
    return std::ranges::all_of(query_.conditions, [&](const auto& condition) { return holds(condition, i); });
  }

 private:
  using Of = ReplayQuery::Of;

  bool holds(const ReplayQuery::Condition& condition, std::uint32_t i) {
    const NamedWork& work = replays_.work[i];
    const SaidOfWork& said = replays_.said_of(work);
    const std::string& wanted = condition.wanted;
    const bool is_replayed = work.replay != kNoId;
    switch (condition.of) {
      case Of::kLayer:
        return is_number(said.layer_index, wanted) || is_text(said.layer, wanted);
      case Of::kPiece:
        return is_number(said.piece, wanted);
      case Of::kModule:
        return holds_text(said.module, wanted) || module_kind_name(kinds_.of(said, i)) == wanted;
      case Of::kOperator:
        return holds_text(said.operator_name, wanted);
      case Of::kFound:
        return is_replayed && found_name(work.found) == wanted;
      case Of::kPhase: {
        const auto phase = work.step == kNoId ? std::nullopt : replays_.steps[work.step].says.phase;
        return phase && step_phase_name(*phase) == wanted;
      }
      case Of::kStep:
        return work.step != kNoId && std::to_string(work.step) == wanted;
      case Of::kReplay:
        if (!is_replayed) return false;
        if (wanted == kSlowest) return slowest_[replays_.replays[work.replay].graph] == work.replay;
        return std::to_string(work.replay) == wanted;
      case Of::kGraph:
        return is_replayed && std::to_string(replays_.replays[work.replay].graph) == wanted;
      case Of::kNode:
        return is_replayed && std::to_string(work.node) == wanted;
    }
    return false;
  }

  static bool is_number(const std::optional<std::int64_t>& number, const std::string& wanted) {
    return number && std::to_string(*number) == wanted;
  }
  const std::string& lower(StringId text) {
    const auto [found, is_new] = lower_.try_emplace(text);
    if (is_new) found->second = ascii_lower(replays_.text(text));
    return found->second;
  }
  bool is_text(StringId text, const std::string& wanted) { return text != kNoText && lower(text) == wanted; }
  bool holds_text(StringId text, const std::string& wanted) {
    return text != kNoText && lower(text).find(wanted) != std::string::npos;
  }

  const GraphReplays& replays_;
  const ReplayQuery& query_;
  ModuleKinds kinds_;
  const std::vector<std::uint32_t> slowest_;  // by graph
  std::map<StringId, std::string> lower_;
};

}  // namespace

ReplayQuery ReplayQuery::parse(std::string_view text) {
  ReplayQuery query;
  if (text.starts_with('"')) {
    query.rest = text;
    return query;
  }
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word = ascii_lower(text.substr(0, end));
    const std::size_t colon = word.find(':');
    const auto* const named =
        std::ranges::find(kQueryWords, std::string_view(word).substr(0, std::min(colon, word.size())));
    if (colon != std::string::npos && colon + 1 < word.size() && named != std::end(kQueryWords)) {
      query.conditions.push_back({static_cast<Of>(named - std::begin(kQueryWords)), word.substr(colon + 1)});
    } else if (end > 0) {
      if (!query.rest.empty()) query.rest += ' ';
      query.rest += text.substr(0, end);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return query;
}

void find_replayed_work(const GraphReplays& replays, const ReplayQuery& query,
                        const std::function<void(std::uint32_t track, std::uint32_t event)>& found) {
  ReplayConditions conditions(replays, query);
  for (std::uint32_t i = 0; i < replays.work.size(); ++i) {
    if (conditions.hold(i)) found(replays.item(i).track, replays.item(i).event);
  }
}

}  // namespace vizd
