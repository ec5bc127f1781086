#include "formats/told_graph_text.h"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vizd::told {

void append_graph_text(std::string& out, const OpGraph& graph, OpId root, const AppendOp& append_op,
                       std::size_t max_bytes, const OnLine& on_line) {
  std::unordered_map<OpId, std::size_t> uses;
  for (const OpId id : toposort(graph, root)) {
    for (const OpId source : graph.src(id)) ++uses[source];
  }
  std::unordered_map<OpId, std::size_t> numbers;               // of the shared ops met so far
  std::vector<std::pair<OpId, std::size_t>> stack{{root, 0}};  // an op and how deep it stands
  while (!stack.empty()) {
    const auto [id, depth] = stack.back();
    stack.pop_back();
    if (out.size() > max_bytes) {
      out += "\u2026";
      return;
    }
    if (id != root) out += '\n';
    if (on_line) on_line(out.size(), id, numbers.contains(id));
    out.append(depth * 2, ' ');
    if (uses[id] > 1) {
      const auto [number, is_new] = numbers.try_emplace(id, numbers.size());
      fmt::format_to(std::back_inserter(out), "%{}", number->second);
      if (!is_new) continue;
      out += " = ";
    }
    append_op(out, id);
    const auto sources = graph.src(id);
    for (auto source = sources.rbegin(); source != sources.rend(); ++source) stack.emplace_back(*source, depth + 1);
  }
}

}  // namespace vizd::told
