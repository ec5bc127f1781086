// A printed graph line by line, each with what it says: what two graphs are compared by.
#pragma once

#include <string>
#include <vector>

#include "model/op_graph.h"

namespace vizd {

// A line of a printed graph, and what it says of its op wherever the op stands: two lines that mean the same and name
// the same ops differ at most in indentation, in the numbers of ops, and in what the lines around them need.
struct PrintedLine {
  OpId op{kNoId};           // that the line prints; kNoId: that is not known
  bool is_again = false;    // the op has been printed before, and the line only names it
  std::string text;         // as it stands
  std::string meaning;      // without indentation and numbers of ops
  std::vector<OpId> names;  // the ops that it names by their numbers, in order
};

// Offered by an OpAnalysis (model/dialect.h) that can tell which line of its text is which op's. As that, it belongs to
// one thread.
class PrintsLines {
 public:
  virtual ~PrintsLines() = default;

  // The text of OpAnalysis::print(root), line by line.
  virtual std::vector<PrintedLine> print_lines(OpId root) = 0;
};

}  // namespace vizd
