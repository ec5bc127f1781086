// ValueText: a capture's values and ops as Python would print them under tinygrad 2025-09: what ValuePrinter leaves to
// the version.
#pragma once

#include <string>

#include "formats/tinygrad/printing/value_printer.h"

namespace vizd::tinygrad_2025_09 {

class ValueText final : public tinygrad::ValuePrinter {
 public:
  explicit ValueText(const OpGraph& graph) : ValuePrinter(graph, " ") {}

 private:
  void append_member(std::string& out, ValueId member) const override;
  bool append_own_object(std::string& out, ValueId object, int depth) const override;
  void append_op_head(std::string& out, OpId op, int depth) const override;

  void append_metadata(std::string& out, ValueId metadata, int depth) const;
  void append_kernel(std::string& out, ValueId kernel, int depth) const;
  void append_block(std::string& out, ValueId block, int depth) const;
};

}  // namespace vizd::tinygrad_2025_09
