// The reference's replay as tinygrad does it (viz/serve.py get_details, uop/ops.py RewriteContext.unified_rewrite),
// told again as plainly as possible: whole graphs, each state from scratch. What the incremental replay is held
// against.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/capture.h"

namespace vizd::toy {

class PlainReplay {
 public:
  // Ops are told apart in a graph of its own, so that the capture learns of none but those it has. The reference's
  // stack limit is 200,000; small graphs come to the same with less, and sooner.
  PlainReplay(const Capture& capture, bool restarts, OpId sink, std::size_t stack_limit = 5000)
      : capture_(capture),
        ops_(capture.values),
        restarts_(restarts),
        stack_limit_(stack_limit),
        sink_(import(capture.ops, sink)) {}

  OpId state() const { return state_ == OpId{kNoId} ? sink_ : state_; }
  const OpGraph& ops() const { return ops_; }
  const std::string& error() const { return error_; }

  void match(OpId before, OpId after) {
    const OpId u0 = import(capture_.ops, before);
    replaces_[u0] = import(capture_.ops, after);
    error_.clear();
    try {
      state_ = substitute(sink_);
    } catch (const std::runtime_error& e) {
      error_ = e.what();
      state_ = capture_.dialect->error_op(ops_, error_);
    }
    if (!restarts_) sink_ = state_;
  }

  // The id here of an op of any other graph with the same values.
  OpId import(const OpGraph& from, OpId root) {
    std::unordered_map<OpId, OpId> ids;
    for (const OpId id : toposort(from, root)) {
      const Op op = from.op(id);
      std::vector<OpId> src;
      for (const OpId source : op.src) src.push_back(ids.at(source));
      ids[id] = ops_.add(op.kind, op.dtype, src, op.arg, op.tag);
    }
    return ids.at(root);
  }

 private:
  OpId substitute(OpId root) {
    std::unordered_map<OpId, OpId> dvars;
    for (const auto& [before, after] : replaces_) {
      if (before != after) dvars[before] = after;
    }
    if (dvars.empty()) return root;
    std::unordered_map<OpId, OpId> replace;
    std::vector<std::tuple<OpId, int, OpId>> stack{{root, 0, root}};
    while (!stack.empty()) {
      if (stack.size() >= stack_limit_) throw std::runtime_error("infinite loop in graph_rewrite (stack too big)");
      auto [n, stage, new_n] = stack.back();
      stack.pop_back();
      if (replace.contains(n)) continue;
      if (stage == 0) {
        std::set<OpId> seen;
        for (new_n = n;; new_n = dvars[new_n]) {
          if (!seen.insert(new_n).second) throw std::runtime_error("infinite loop in fixed_point_rewrite");
          if (!dvars.contains(new_n)) break;
        }
        stack.emplace_back(n, 1, new_n);
        const auto src = ops_.src(new_n);
        for (auto it = src.rbegin(); it != src.rend(); ++it) stack.emplace_back(*it, 0, *it);
      } else if (stage == 1) {
        const Op op = ops_.op(new_n);
        std::vector<OpId> src;
        for (const OpId source : op.src) src.push_back(replace.at(source));
        const OpId made = ops_.add(op.kind, op.dtype, src, op.arg, op.tag);
        if (made == new_n) {
          replace[n] = new_n;
        } else {
          stack.emplace_back(n, 2, made);
          stack.emplace_back(made, 0, made);
        }
      } else {
        replace[n] = replace.at(new_n);
      }
    }
    return replace.at(root);
  }

  const Capture& capture_;
  OpGraph ops_;
  bool restarts_;
  std::size_t stack_limit_;
  OpId sink_;
  OpId state_{kNoId};
  std::string error_;
  std::unordered_map<OpId, OpId> replaces_;
};

}  // namespace vizd::toy
