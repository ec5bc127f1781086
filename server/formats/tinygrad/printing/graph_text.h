// The printed form of a graph of ops: every op once, its sources inside it and indented by two, ops that are used more
// than once numbered where they stand first ("x3:=UOp(…)") and then called by their number. A template, since
// expressions in simplification print as the capture's ops do. Pure, any thread.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vizd::tinygrad {

namespace graph_text {

struct Printed {
  std::uint32_t number = 0;
  std::uint32_t uses = 0;
  bool done = false;
};

template <typename Id>
struct Frame {
  Id op;
  std::size_t next_source = 0;
};

struct NobodyListens {
  template <typename Id>
  void operator()(std::size_t, Id, bool) const {}
};

// Numbers the ops under root as they are met, and counts their uses. The root counts as number 0, used once.
template <typename Graph, typename Id>
std::unordered_map<Id, Printed> number_ops(const Graph& graph, Id root) {
  std::unordered_map<Id, Printed> ops;
  std::vector<Frame<Id>> stack{{root}};
  while (!stack.empty()) {
    Frame<Id>& frame = stack.back();
    const auto sources = graph.src(frame.op);
    if (frame.next_source == sources.size()) {
      stack.pop_back();
      continue;
    }
    const Id source = sources[frame.next_source++];
    const auto number = static_cast<std::uint32_t>(ops.size());
    Printed& printed = ops.try_emplace(source, Printed{.number = number}).first->second;
    if (++printed.uses == 1) stack.push_back({source});
  }
  ops.try_emplace(root);
  return ops;
}

}  // namespace graph_text

// Appends the graph under root as tinygrad's pretty_print does, in time linear in the text. append_head(out, op)
// appends an op's printed form up to its sources: "UOp(Ops.ADD, dtypes.int, arg=None, src=(". before_number stands
// before the number of an op that was printed before. Numbers are given in the order in which a walk from the root,
// sources in order, meets the ops. Once out has grown past max_bytes, it ends in "…" there (indentation alone makes a
// long chain of ops quadratic). on_line(at, op, is_again) hears of each line where it begins.
template <typename Graph, typename Id, typename AppendHead, typename OnLine = graph_text::NobodyListens>
void append_graph_text(std::string& out, const Graph& graph, Id root, std::string_view before_number,
                       const AppendHead& append_head, std::size_t max_bytes, const OnLine& on_line = {}) {
  auto ops = graph_text::number_ops(graph, root);
  std::vector<graph_text::Frame<Id>> stack;
  // Prints an op up to its sources, or its number where it was printed before.
  const auto begin = [&](Id op) {
    graph_text::Printed& printed = ops.find(op)->second;
    on_line(out.size(), op, printed.done);
    out.append(stack.size() * 2, ' ');
    if (printed.done) {
      fmt::format_to(std::back_inserter(out), "{}x{}", before_number, printed.number);
      return;
    }
    printed.done = true;
    if (printed.uses > 1) fmt::format_to(std::back_inserter(out), "x{}:=", printed.number);
    append_head(out, op);
    stack.push_back({op});
  };
  begin(root);
  while (!stack.empty()) {
    if (out.size() > max_bytes) {
      out += "\u2026";
      return;
    }
    graph_text::Frame<Id>& frame = stack.back();
    const auto sources = graph.src(frame.op);
    const std::size_t open = stack.size();
    if (frame.next_source < sources.size()) {
      out += '\n';
      begin(sources[frame.next_source++]);
      if (stack.size() == open) out += ',';
    } else {
      out += "))";
      stack.pop_back();
      if (!stack.empty()) out += ',';
    }
  }
}

}  // namespace vizd::tinygrad
