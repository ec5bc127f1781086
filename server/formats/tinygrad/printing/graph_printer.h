// GraphPrinter: graphs of ops as text, where many are printed that have most of their ops in common: each printed form
// of an op is made once. Belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sequence_table.h"
#include "formats/line_recorder.h"
#include "formats/tinygrad/printing/graph_text.h"
#include "formats/tinygrad/printing/value_printer.h"

namespace vizd::tinygrad {

class GraphPrinter {
 public:
  GraphPrinter(const OpGraph& graph, const ValuePrinter& values) : graph_(graph), values_(values) {}

  // As values.graph(root).
  std::string print(OpId root) { return print(root, graph_text::NobodyListens{}); }
  std::vector<PrintedLine> print_lines(OpId root) {
    LineRecorder lines;
    const std::string text =
        print(root, [&](std::size_t at, OpId op, bool is_again) { lines.begin(at, op, is_again); });
    return lines.lines_of(text, [this](OpId op) { return head(op); });
  }

 private:
  template <typename OnLine>
  std::string print(OpId root, const OnLine& on_line) {
    std::string out;
    append_graph_text(
        out, graph_, root, values_.before_number(), [this](std::string& text, OpId op) { text += head(op); },
        ValuePrinter::kMaxGraphBytes, on_line);
    return out;
  }

  // All ops that differ only in their sources have the same.
  const std::string& head(OpId id) {
    const Op op = graph_.op(id);
    const std::uint32_t key[] = {op.kind, static_cast<std::uint32_t>(op.dtype), static_cast<std::uint32_t>(op.arg),
                                 static_cast<std::uint32_t>(op.tag)};
    const std::uint32_t i = head_keys_.add(key);
    if (i >= heads_.size()) heads_.resize(i + 1);
    if (heads_[i].empty()) heads_[i] = values_.op_head(id);
    return heads_[i];
  }

  const OpGraph& graph_;
  const ValuePrinter& values_;
  SequenceTable head_keys_;
  std::vector<std::string> heads_;
};

}  // namespace vizd::tinygrad
