#include "reference/inspector/delegation.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "formats/etdump/calls.h"
#include "formats/etdump/partitions.h"

namespace vizd::inspector {
namespace {

constexpr std::size_t kMostNeighbours = 16;  // calls named on either side of a node

using Calls = std::set<std::uint32_t>;

void merge(const Calls& from, Calls& into) {
  for (const std::uint32_t call : from) {
    if (into.size() >= kMostNeighbours) return;
    into.insert(call);
  }
}

std::string dtype_of_node(const ExportedProgram& edge, const ProgramNode& node) {
  if (node.outputs.empty()) return "";
  const auto& type = edge.values[node.outputs.front()].type;
  return type ? std::string(dtype_name(*type)) : "";
}

// Nodes of one op.
struct OpCounts {
  std::size_t all = 0, delegated = 0;
  std::set<std::string> delegated_types;
};

class Delegation {
 public:
  explicit Delegation(const Block& block)
      : block_(block), edge_(*block.method->edge), partitions_(*block.method), parts_of_(edge_.nodes.size()) {
    for (const ProgramNode& node : edge_.nodes) {
      partition_.push_back(partitions_.of(node.debug_handle));
      OpCounts& counts = counts_[node.op];
      ++counts.all;
      if (partition_.back() == 0) continue;
      ++counts.delegated;
      counts.delegated_types.insert(dtype_of_node(edge_, node));
    }
    find_neighbours();
  }

  std::vector<DelegationPart> make() {
    if (std::ranges::none_of(partition_, [](std::uint32_t number) { return number != 0; })) return {};
    std::vector<std::optional<std::size_t>> places(partitions_.all().size() + 1);
    for (std::uint32_t i = 0; i < edge_.nodes.size(); ++i) {
      const std::uint32_t number = partition_[i];
      if (number == 0 || !places[number]) {
        if (number != 0) places[number] = parts_.size();
        parts_.push_back(number == 0 ? left_out(i) : call(number));
      }
      const std::size_t place = number == 0 ? parts_.size() - 1 : *places[number];
      parts_[place].nodes.push_back(i);
      count(edge_.nodes[i].op, parts_[place]);
      parts_of_[i] = place;
    }
    add_times();
    return std::move(parts_);
  }

 private:
  static void count(const std::string& op, DelegationPart& part) {
    const auto found = std::ranges::find(part.ops, op, &std::pair<std::string, std::size_t>::first);
    found == part.ops.end() ? part.ops.emplace_back(op, 1).second : ++found->second;
  }

  // Finds for each node the nearest calls above and below it, past nodes that went to none.
  void find_neighbours() {
    before_.resize(edge_.nodes.size());
    after_.resize(edge_.nodes.size());
    for (std::size_t i = 0; i < edge_.nodes.size(); ++i)
      for_each_source(i, [&](std::size_t source) {
        partition_[source] != 0 ? merge({partition_[source]}, before_[i]) : merge(before_[source], before_[i]);
      });
    for (std::size_t i = edge_.nodes.size(); i-- > 0;)
      for_each_source(i, [&](std::size_t source) {
        partition_[i] != 0 ? merge({partition_[i]}, after_[source]) : merge(after_[i], after_[source]);
      });
  }

  template <typename Visit>
  void for_each_source(std::size_t node, Visit&& visit) const {
    for (const NodeInput& input : edge_.nodes[node].inputs) {
      for (const std::uint32_t value : input.values) {
        const std::uint32_t source = edge_.values[value].node;
        if (source < node) visit(source);
      }
    }
  }

  DelegationPart call(std::uint32_t number) const {
    DelegationPart part;
    part.partition = number;
    part.backend = partitions_.all()[number - 1].backend;
    part.instruction = partitions_.all()[number - 1].instruction;
    return part;
  }

  DelegationPart left_out(std::uint32_t place) const {
    const ProgramNode& node = edge_.nodes[place];
    const OpCounts& counts = counts_.at(node.op);
    DelegationPart part;
    part.dtype = dtype_of_node(edge_, node);
    part.before.assign(before_[place].begin(), before_[place].end());
    part.after.assign(after_[place].begin(), after_[place].end());
    part.delegated_of_op = counts.delegated;
    part.of_op = counts.all;
    part.is_type_delegated = counts.delegated_types.contains(part.dtype);
    return part;
  }

  void add_times() {
    for (const BlockEvent& event : block_.events) {
      if (!event.statistics || !is_work(event)) continue;
      std::set<std::size_t> of;
      for (const std::uint32_t node : event.nodes) of.insert(parts_of_[node]);
      for (const std::size_t place : of) {
        DelegationPart& part = parts_[place];
        if (is_delegate_call(event) != (part.partition != 0)) continue;
        if (part.partition != 0 && part.instruction != event.instruction) continue;
        if (part.partition == 0) part.instruction = event.instruction;
        part.total = part.total.value_or(0) + event.statistics->average / static_cast<double>(of.size());
      }
    }
  }

  const Block& block_;
  const ExportedProgram& edge_;
  const Partitions partitions_;
  std::vector<std::uint32_t> partition_;  // by node; 0: none
  std::map<std::string, OpCounts> counts_;
  std::vector<Calls> before_, after_;
  std::vector<DelegationPart> parts_;
  std::vector<std::size_t> parts_of_;  // by node
};

}  // namespace

std::vector<DelegationPart> delegation_of(const Block& block) {
  if (block.method == nullptr || !block.method->edge ||
      std::ranges::none_of(block.events, [](const auto& event) { return is_work(event); }))
    return {};
  return Delegation(block).make();
}

std::string reason_of(const DelegationPart& part) {
  if (part.partition != 0) return "";
  if (part.delegated_of_op == 0) return "no node of this op was delegated";
  const std::string type =
      part.dtype.empty() || part.is_type_delegated ? "" : fmt::format(", none of them {}", part.dtype);
  return fmt::format("{} of {} nodes of this op {} delegated{}", part.delegated_of_op, part.of_op,
                     part.delegated_of_op == 1 ? "was" : "were", type);
}

}  // namespace vizd::inspector
