// The printed form of a graph whose capture brings none: an op a line, its sources below it and indented by two, an op
// that is used more than once numbered where it stands first ("%3 = ADD …") and then called by its number.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "model/op_graph.h"

namespace vizd::told {

// Appends an op's own text, without its sources.
using AppendOp = std::function<void(std::string& out, OpId op)>;
// Hears of each line where it begins; is_again: the line only names the op.
using OnLine = std::function<void(std::size_t at, OpId op, bool is_again)>;

// Appends the graph under root. Numbers are given to shared ops alone, in the order in which they are met. Once out has
// grown past max_bytes, it ends in "…" there. Pure, any thread.
void append_graph_text(std::string& out, const OpGraph& graph, OpId root, const AppendOp& append_op,
                       std::size_t max_bytes, const OnLine& on_line = {});

}  // namespace vizd::told
