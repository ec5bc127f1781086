// LineRecorder: which op each line of a printed graph is of, noted while it is printed. Belongs to one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/printed_lines.h"

namespace vizd {

class LineRecorder {
 public:
  // The line that begins at this place of the text prints the op, or only names it again.
  void begin(std::size_t at, OpId op, bool is_again) { lines_.push_back({at, op, is_again}); }

  // meaning_of(op): what the line of an op says, wherever it stands. It says the same where it only names the op: which
  // of an op's uses comes first is no property of the graph.
  template <typename MeaningOf>
  std::vector<PrintedLine> lines_of(std::string_view text, const MeaningOf& meaning_of) const {
    std::vector<PrintedLine> printed;
    printed.reserve(lines_.size());
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto& [at, op, is_again] = lines_[i];
      const std::size_t end = i + 1 < lines_.size() ? lines_[i + 1].at - 1 : text.size();  // without its "\n"
      printed.push_back({op, is_again, std::string(text.substr(at, end - at)), meaning_of(op), {}});
    }
    return printed;
  }

 private:
  struct Line {
    std::size_t at;
    OpId op;
    bool is_again;
  };

  std::vector<Line> lines_;
};

}  // namespace vizd
