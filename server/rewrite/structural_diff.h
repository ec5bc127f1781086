// The difference between two printed graphs, op by op: a line is the same where it says the same of its op, however
// deep it stands and whatever number the op has. Pure, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.h"
#include "model/dialect.h"
#include "model/printed_lines.h"

namespace vizd {

struct PrintedGraph {
  std::vector<PrintedLine> lines;
  // By line: of its op and all that is below it, also between graphs that share their values. 0: not known.
  std::vector<std::uint64_t> digests;
  // By line: prints an op that has sources, which is seldom the same by chance.
  std::vector<bool> is_telling;

  // As the compiler prints it.
  std::string text() const;
};

PrintedGraph printed_graph(const OpGraph& graph, OpAnalysis& analysis, OpId root);

// Lines that begin with ' ' (the same), '-' (only before), '+' (only after) or '~' (after, at another place than
// before), with three of the same around each change, and "@@ N lines unchanged @@" for the others (one is told
// itself). Empty where nothing differs. Ops with all below them are paired first, then lines by what they say, in
// order; a line that names ops is the same where those are. Costs what equal_blocks costs, over the lines. Worth
// nothing once the budget is over.
std::vector<std::string> structural_diff(const PrintedGraph& before, const PrintedGraph& after,
                                         const Budget& budget = Budget());

}  // namespace vizd
