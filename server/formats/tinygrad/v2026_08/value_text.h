// ValueText: a capture's values and ops as Python would print them under tinygrad 2026-08: what ValuePrinter leaves to
// the version.
#pragma once

#include <string>
#include <string_view>

#include "formats/tinygrad/printing/value_printer.h"
#include "formats/tinygrad/v2026_08/op_names.h"

namespace vizd::tinygrad_2026_08 {

// A constant's float (tinygrad.dtype.ConstFloat), and any other float.
bool is_real(const ValueTable& values, ValueId value);
double real_of(const ValueTable& values, ValueId value);

// The classes of AMD's instructions: an architecture's name follows, then ".ins." and the format's.
inline constexpr std::string_view kInstructionModules = "tinygrad.runtime.autogen.amd.";

class ValueText final : public tinygrad::ValuePrinter {
 public:
  // names: of ops that no table has; without it they print as UNKNOWN. It must outlive this.
  explicit ValueText(const OpGraph& graph, const OpNames* names = nullptr) : ValuePrinter(graph, ""), names_(names) {}

  std::string_view name_of(Ops op) const { return names_ != nullptr ? (*names_)(op) : op_name(op); }
  using ValuePrinter::op_head;
  // The same of an op that is in no graph, its argument and tag as they print.
  static std::string op_head(std::string_view op, std::string_view dtype, std::string_view argument,
                             std::string_view tag);
  // An op's argument in op_head().
  std::string argument(Ops op, ValueId value) const { return argument(op, value, 0); }

 private:
  void append_member(std::string& out, ValueId member) const override;
  bool append_object_str(std::string& out, ValueId object, int depth) const override;
  bool append_own_object(std::string& out, ValueId object, int depth) const override;
  void append_op_head(std::string& out, OpId op, int depth) const override;

  std::string argument(Ops op, ValueId value, int depth) const;
  void append_param(std::string& out, ValueId object, int depth) const;
  bool append_instruction(std::string& out, ValueId object) const;
  void append_target(std::string& out, ValueId object) const;

  const OpNames* names_;
};

}  // namespace vizd::tinygrad_2026_08
