#include "rewrite/likeness.h"

#include "rewrite/digest.h"
#include "rewrite/history_index.h"

namespace vizd {
namespace {

// Arguments are small; one that is not is compared whole.
constexpr int kMostDepth = 4;

// A value without its integers.
void add_shape(Digest& digest, const ValueTable& values, ValueId value, int depth) {
  const ValueKind kind = values.kind(value);
  digest.add(static_cast<std::uint64_t>(kind));
  if (kind == ValueKind::kInt || kind == ValueKind::kBigInt) return;
  const bool is_sequence = kind == ValueKind::kTuple || kind == ValueKind::kList;
  if (!is_sequence || depth == kMostDepth) {
    digest.add(index(value));
    return;
  }
  digest.add(values.items(value).size());
  for (const ValueId item : values.items(value)) add_shape(digest, values, item, depth + 1);
}

}  // namespace

std::vector<std::uint64_t> likeness_at(const Capture& capture, const History& history, std::uint32_t state) {
  const StateGraph at = graph_at(capture, history, state);
  // Nodes by op: ops of a graph are numbered after their sources, but those of the capture and of the state mix.
  std::vector<std::uint64_t> by_op(at.graph->size(), 0);
  std::vector<bool> is_inlined(at.graph->size(), false);
  for (std::size_t n = 0; n < at.op_of_node.size(); ++n) {
    if (at.op_of_node[n] != OpId{kNoId})
      is_inlined[index(at.op_of_node[n])] = version_at(history, to_id<NodeId>(n), state).inlined;
  }
  for (const OpId id : toposort(*at.graph, at.root)) {
    const Op op = at.graph->op(id);
    Digest digest(3);
    digest.add(op.kind).add(index(op.dtype)).add(index(op.tag)).add(op.src.size());
    if (!op.src.empty() || is_inlined[index(id)]) {
      add_shape(digest, capture.values, op.arg, 0);
    } else {
      digest.add(index(op.arg));
    }
    for (const OpId source : op.src) digest.add(by_op[index(source)]);
    by_op[index(id)] = digest.value() | 1;  // never 0
  }
  std::vector<std::uint64_t> by_node(history.nodes.size(), 0);
  for (std::size_t n = 0; n < by_node.size(); ++n) {
    if (at.op_of_node[n] != OpId{kNoId}) by_node[n] = by_op[index(at.op_of_node[n])];
  }
  return by_node;
}

}  // namespace vizd
