// GapGraph: what of a method's graphs is asked for to tell which values are which: nodes by their debug handles, and
// what leaves a part of the graph. Refers to the method. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/etdump/etrecord.h"

namespace vizd::inspector {

using namespace etdump;

class GapGraph {
 public:
  explicit GapGraph(const Method& method);

  // The last of a handle's nodes, whose result is the reference's value; null: none.
  const ProgramNode* node(std::int64_t handle) const;
  // The nodes of the edge program that carry a handle, in graph order; none without an edge program.
  std::span<const ProgramNode* const> edge_nodes(std::int64_t handle) const;
  // Whether an instruction other than this one has the handle too.
  bool is_shared(std::int64_t instruction, std::int64_t handle) const;
  // Returns the edge program's nodes whose results leave the part of it that the handles are.
  std::vector<const ProgramNode*> leaving(std::span<const ProgramNode* const> nodes,
                                          std::span<const std::int64_t> handles) const;
  // The names of all nodes of the handles, each once.
  std::vector<std::string> names(std::span<const std::int64_t> handles) const;
  // Handles whose results leave a part of the graph, in graph order: those that a node outside of it reads, or that the
  // program returns. The last of the list itself where the edge graph does not tell.
  std::vector<std::int64_t> outputs_of(std::span<const std::int64_t> handles) const;

 private:
  void find_readers(const ExportedProgram& edge);
  bool leaves(const ProgramNode& node, const std::set<std::int64_t>& inside) const;

  const Method& method_;
  std::unordered_map<std::int64_t, std::vector<const ProgramNode*>> nodes_, edge_nodes_;
  std::vector<std::vector<std::size_t>> readers_;  // nodes of the edge graph, by value
  std::vector<bool> is_returned_;
};

}  // namespace vizd::inspector
