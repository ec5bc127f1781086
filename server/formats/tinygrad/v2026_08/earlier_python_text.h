// Writes a graph as pyrender of the releases 0.12.0 and 0.13.0 writes it. Pure, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/tinygrad/v2026_08/op_facts.h"
#include "formats/tinygrad/v2026_08/value_text.h"
#include "model/printed_lines.h"

namespace vizd::tinygrad_2026_08 {

// Nothing where pyrender raises: tinygrad prints the graph then.
std::optional<std::string> earlier_python_text(const OpGraph& graph, OpFacts& facts, const ValueText& values, OpId root,
                                               Release release);
// The same line by line; those of the functions that kernels are belong to no op.
std::optional<std::vector<PrintedLine>> earlier_python_lines(const OpGraph& graph, OpFacts& facts,
                                                             const ValueText& values, OpId root, Release release);

}  // namespace vizd::tinygrad_2026_08
