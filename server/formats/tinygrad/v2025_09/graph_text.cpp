#include "formats/tinygrad/v2025_09/graph_text.h"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>
#include <vector>

namespace vizd::tinygrad_2025_09 {
namespace {

struct Printed {
  std::uint32_t number = 0;
  std::uint32_t uses = 0;
  bool done = false;
};

struct Frame {
  OpId op;
  std::size_t next_source = 0;
};

using PrintedOps = std::unordered_map<OpId, Printed>;

// Numbers the ops under root as they are met, and counts their uses. The root counts as number 0, used once.
PrintedOps number_ops(const OpGraph& graph, OpId root) {
  PrintedOps ops;
  std::vector<Frame> stack{{root}};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const auto sources = graph.src(frame.op);
    if (frame.next_source == sources.size()) {
      stack.pop_back();
      continue;
    }
    const OpId source = sources[frame.next_source++];
    const auto number = static_cast<std::uint32_t>(ops.size());
    Printed& printed = ops.try_emplace(source, Printed{.number = number}).first->second;
    if (++printed.uses == 1) stack.push_back({source});
  }
  ops.try_emplace(root);
  return ops;
}

}  // namespace

void append_graph_text(std::string& out, const OpGraph& graph, OpId root, const AppendOpHead& append_head,
                       std::size_t max_bytes) {
  PrintedOps ops = number_ops(graph, root);
  std::vector<Frame> stack;
  // Prints an op up to its sources, or its number where it was printed before.
  const auto begin = [&](OpId op) {
    Printed& printed = ops.find(op)->second;
    out.append(stack.size() * 2, ' ');
    if (printed.done) {
      fmt::format_to(std::back_inserter(out), " x{}", printed.number);
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
    Frame& frame = stack.back();
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

}  // namespace vizd::tinygrad_2025_09
