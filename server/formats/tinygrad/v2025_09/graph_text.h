// The printed form of a graph: every op once, its sources inside it and indented by two, ops that are used more than
// once numbered where they stand first ("x3:=UOp(…)") and then called by their number ("·x3"). Pure, any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "model/op_graph.h"

namespace vizd::tinygrad_2025_09 {

// Appends an op's printed form up to its sources: "UOp(Ops.ADD, dtypes.int, arg=None, src=(".
using AppendOpHead = std::function<void(std::string& out, OpId op)>;

// Appends the graph under root as tinygrad's ops.py pretty_print does, in time linear in the text. Numbers are given in
// the order in which a walk from the root, sources in order, meets the ops. Once out has grown past max_bytes, it ends
// in "…" there (indentation alone makes a long chain of ops quadratic).
void append_graph_text(std::string& out, const OpGraph& graph, OpId root, const AppendOpHead& append_head,
                       std::size_t max_bytes);

}  // namespace vizd::tinygrad_2025_09
