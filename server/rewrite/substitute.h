// substitute: tinygrad's UOp.substitute on a whole graph, step by step as RewriteContext.unified_rewrite does it, with
// its errors. Costs the graph each time: the replay asks it only where it must know which error the reference raises.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>

#include "model/op_graph.h"
#include "rewrite/replacements.h"

namespace vizd {

// tinygrad gives up where so many ops wait on its stack.
inline constexpr std::size_t kSubstituteStackLimit = 200'000;

enum class SubstituteError {
  kFixedPointLoop,  // replacements of one op run in a circle
  kStackTooBig,     // too many ops wait: a replacement holds what it replaces, or the graph is huge
};

// The text of Python's exception.
std::string_view error_text(SubstituteError error);

// Adds the ops it makes to graph, which stands on the capture's; keys and values are the capture's ops.
std::variant<OpId, SubstituteError> substitute(OpGraph& graph, OpId root, const Replacements& replacements);

}  // namespace vizd
