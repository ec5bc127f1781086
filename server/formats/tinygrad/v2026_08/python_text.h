// Writes a graph as tinygrad's pyrender writes it, as Python code that would make it again, a line for each op
// that is used more than once or stands for itself (uop/render.py). Pure, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/tinygrad/v2026_08/op_facts.h"
#include "formats/tinygrad/v2026_08/value_text.h"
#include "model/op_graph.h"
#include "model/printed_lines.h"

namespace vizd::tinygrad_2026_08 {

// Nothing where pyrender raises (calls, ops whose dtypes do not go together): tinygrad prints the graph then.
std::optional<std::string> python_text(const OpGraph& graph, OpFacts& facts, const ValueText& values, OpId root);
// The same line by line. A line means what it says but for the numbers of lines, its own and those of others.
std::optional<std::vector<PrintedLine>> python_lines(const OpGraph& graph, OpFacts& facts, const ValueText& values,
                                                     OpId root);

}  // namespace vizd::tinygrad_2026_08
