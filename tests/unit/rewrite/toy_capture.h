// A small compiler for tests of the replay: ops with a number as their argument, a dialect whose labels show something
// of the sources (so that a change below shows above), constants that are lines in their users' boxes.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/capture.h"

namespace vizd::toy {

enum Kind : std::uint16_t { kSink, kLeaf, kAdd, kMul, kView, kConst, kError, kKindCount };

// A label is the op's name, its argument, the constants it reads, and its weight: the sum over its leaves, modulo 4.
class Analysis : public OpAnalysis {
 public:
  explicit Analysis(const OpGraph& graph) : graph_(graph) {}

  LabelId label(OpId id) override {
    std::string text = fmt::format("{}\n{}", names()[graph_.kind(id)], argument(id));
    for (const OpId source : graph_.src(id)) {
      if (is_inlined(source)) text += fmt::format("\nCONST {}", argument(source));
    }
    text += fmt::format("\nweight {}", facts(id).weight);
    const auto [found, added] = ids_.try_emplace(text, to_id<LabelId>(texts_.size()));
    if (added) texts_.push_back(text);
    return found->second;
  }
  std::string_view label_text(LabelId id) const override { return texts_[index(id)]; }
  bool is_inlined(OpId id) override { return graph_.kind(id) == kConst; }
  std::optional<ContextId> ref(OpId id) override {
    return graph_.kind(id) == kView ? std::optional(to_id<ContextId>(static_cast<std::size_t>(argument(id))))
                                    : std::nullopt;
  }
  std::optional<std::string> tag(OpId) override { return std::nullopt; }
  std::string print(OpId root) override {
    std::string text;
    for (const OpId id : toposort(graph_, root)) {
      text += fmt::format("{} {} weight {}\n", names()[graph_.kind(id)], argument(id), facts(id).weight);
    }
    return text;
  }
  void forget(OpId id) override { known_.erase(id); }
  bool refresh(OpId id) override {
    const auto found = known_.find(id);
    if (found == known_.end()) return true;
    const Facts before = found->second;
    known_.erase(found);
    const Facts after = facts(id);
    return before.weight != after.weight || before.kind != after.kind || before.arg != after.arg;
  }

 private:
  struct Facts {
    std::int64_t weight;
    std::uint16_t kind;
    ValueId arg;
  };

  static const std::vector<std::string>& names() {
    static const std::vector<std::string> all{"SINK", "LEAF", "ADD", "MUL", "VIEW", "CONST", "ERROR"};
    return all;
  }
  std::int64_t argument(OpId id) const {
    const ValueId arg = graph_.op(id).arg;
    return arg == kNoneValue || graph_.values().kind(arg) != ValueKind::kInt ? 0 : graph_.values().as_int(arg);
  }
  // Toy graphs are shallow, so this may call itself.
  const Facts& facts(OpId id) {
    if (const auto found = known_.find(id); found != known_.end()) return found->second;
    std::int64_t weight = graph_.src(id).empty() ? argument(id) : 0;
    for (const OpId source : graph_.src(id)) weight += facts(source).weight;
    return known_[id] = {weight % 4, graph_.kind(id), graph_.op(id).arg};
  }

  const OpGraph& graph_;
  std::unordered_map<OpId, Facts> known_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, LabelId> ids_;
};

class Toy : public Dialect {
 public:
  // The reference's two errors are the only texts asked for; their values must be there before the capture is shared.
  explicit Toy(ValueTable& values) {
    for (const char* text :
         {"infinite loop in fixed_point_rewrite", "infinite loop in graph_rewrite (stack too big)"}) {
      errors_.emplace_back(text, values.string(text));
    }
  }

  std::string_view kind_name(std::uint16_t) const override { return "TOY"; }
  std::string_view kind_colour(std::uint16_t kind) const override { return kind == kLeaf ? "#00ff00" : "#ffffff"; }
  std::unique_ptr<OpAnalysis> analyse(const OpGraph& graph) const override { return std::make_unique<Analysis>(graph); }
  std::string value_text(ValueId) const override { return ""; }
  OpId error_op(OpGraph& graph, std::string_view message) const override {
    const auto found = std::ranges::find(errors_, message, [](const auto& e) { return std::string_view(e.first); });
    return graph.add(kError, kNoneValue, {}, found->second, kNoneValue);
  }

 private:
  std::vector<std::pair<std::string, ValueId>> errors_;
};

// A capture with one context of one pass, built op by op.
class Builder {
 public:
  Builder() {
    capture.has_rewrites = true;
    capture.format = "toy";
    capture.dialect = std::make_unique<Toy>(capture.values);
    capture.rewrites.locations.push_back({capture.strings.add("rules.py"), 7});
    capture.rewrites.contexts.push_back({.pass_count = 1});
    capture.rewrites.passes.emplace_back();
  }

  OpId op(Kind kind, std::initializer_list<OpId> src, std::int64_t arg = 0) {
    return op(kind, std::vector<OpId>(src), arg);
  }
  OpId op(Kind kind, const std::vector<OpId>& src, std::int64_t arg = 0) {
    return capture.ops.add(kind, kNoneValue, src, capture.values.integer(arg), kNoneValue);
  }
  void match(OpId before, OpId after) {
    capture.rewrites.matches.push_back({before, after, LocationId{0}, -1});
    ++capture.rewrites.passes[0].match_count;
  }
  Pass& pass() { return capture.rewrites.passes[0]; }

  Capture capture;
};

}  // namespace vizd::toy
