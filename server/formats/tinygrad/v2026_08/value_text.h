// ValueText: a capture's values and ops as Python would print them under tinygrad 2026-08: str() and repr(), the
// classes of tinygrad in their own forms, any other class as <module.Name>. Recurses only into values in values, to a
// fixed depth; texts have a fixed greatest size. Reads its graph alone; any number of threads, while nothing is added
// to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "formats/tinygrad/v2026_08/ops.h"
#include "model/op_graph.h"

namespace vizd::tinygrad_2026_08 {

// A constant's float (tinygrad.dtype.ConstFloat), and any other float.
bool is_real(const ValueTable& values, ValueId value);
double real_of(const ValueTable& values, ValueId value);

class ValueText {
 public:
  // Deeper values print as "…", and a text that grows past the limit ends in "…" where it is.
  static constexpr int kMaxDepth = 200;
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  explicit ValueText(const OpGraph& graph) : graph_(graph), values_(graph.values()) {}

  std::string str(ValueId value) const;
  std::string repr(ValueId value) const;
  // An op as it prints up to its sources: "UOp(Ops.ADD, dtypes.int, arg=None, src=(".
  std::string op_head(OpId op) const { return op_head(op, 0); }
  // The same of an op that is in no graph, its argument and tag as they print.
  static std::string op_head(Ops op, std::string_view dtype, std::string_view argument, std::string_view tag);
  // An op's argument in op_head().
  std::string argument(Ops op, ValueId value) const { return argument(op, value, 0); }
  // str(UOp): the graph under root, one op a line, those used more than once by number (render.py pretty_print).
  std::string graph(OpId root) const;

 private:
  std::string op_head(OpId op, int depth) const;
  std::string argument(Ops op, ValueId value, int depth) const;
  void append_str(std::string& out, ValueId value, int depth) const;
  void append_repr(std::string& out, ValueId value, int depth) const;
  void append_items(std::string& out, std::string_view open, ValueId sequence, std::string_view close, int depth) const;
  void append_object(std::string& out, ValueId object, int depth) const;
  void append_dataclass(std::string& out, std::string_view class_name, ValueId object, int depth) const;
  void append_param(std::string& out, ValueId object, int depth) const;
  void append_target(std::string& out, ValueId object) const;
  void append_graph(std::string& out, OpId root, int depth) const;

  const OpGraph& graph_;
  const ValueTable& values_;
};

}  // namespace vizd::tinygrad_2026_08
