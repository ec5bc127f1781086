// ValueText: a capture's values and ops as Python would print them under tinygrad 2026-08: what ValuePrinter leaves to
// the version.
#pragma once

#include <string>
#include <string_view>

#include "formats/tinygrad/printing/value_printer.h"
#include "formats/tinygrad/v2026_08/ops.h"

namespace vizd::tinygrad_2026_08 {

// A constant's float (tinygrad.dtype.ConstFloat), and any other float.
bool is_real(const ValueTable& values, ValueId value);
double real_of(const ValueTable& values, ValueId value);

class ValueText final : public tinygrad::ValuePrinter {
 public:
  explicit ValueText(const OpGraph& graph) : ValuePrinter(graph, "") {}

  using ValuePrinter::op_head;
  // The same of an op that is in no graph, its argument and tag as they print.
  static std::string op_head(Ops op, std::string_view dtype, std::string_view argument, std::string_view tag);
  // An op's argument in op_head().
  std::string argument(Ops op, ValueId value) const { return argument(op, value, 0); }

 private:
  void append_member(std::string& out, ValueId member) const override;
  bool append_object_str(std::string& out, ValueId object, int depth) const override;
  bool append_own_object(std::string& out, ValueId object, int depth) const override;
  void append_op_head(std::string& out, OpId op, int depth) const override;

  std::string argument(Ops op, ValueId value, int depth) const;
  void append_param(std::string& out, ValueId object, int depth) const;
  void append_target(std::string& out, ValueId object) const;
};

}  // namespace vizd::tinygrad_2026_08
