// ValueText: a capture's values and ops as Python would print them under tinygrad 2025-09: str() and repr(), the
// classes of tinygrad in their own forms, any other class as <module.Name>. Recurses only into values in values, to a
// fixed depth; texts have a fixed greatest size. Reads its graph alone; any number of threads, while nothing is added
// to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/op_graph.h"

namespace vizd::tinygrad_2025_09 {

class ValueText {
 public:
  // Deeper values print as "…", and a text that grows past the limit ends in "…" where it is.
  static constexpr int kMaxDepth = 200;
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 20;

  explicit ValueText(const OpGraph& graph) : graph_(graph), values_(graph.values()) {}

  std::string str(ValueId value) const;
  std::string repr(ValueId value) const;
  // An op as it prints up to its sources: "UOp(Ops.ADD, dtypes.int, arg=None, src=(".
  std::string op_head(OpId op) const;
  // str(UOp): the graph under root, one op a line, those used more than once by number (ops.py pretty_print).
  std::string graph(OpId root) const;

 private:
  void append_str(std::string& out, ValueId value, int depth) const;
  void append_repr(std::string& out, ValueId value, int depth) const;
  void append_items(std::string& out, std::string_view open, ValueId sequence, std::string_view close, int depth) const;
  void append_member(std::string& out, ValueId member) const;
  void append_object(std::string& out, ValueId object, int depth) const;
  void append_dataclass(std::string& out, std::string_view class_name, ValueId object, int depth) const;
  void append_kernel(std::string& out, ValueId kernel, int depth) const;
  void append_block(std::string& out, ValueId block, int depth) const;
  void append_op_head(std::string& out, OpId op, int depth) const;
  void append_graph(std::string& out, OpId root, int depth) const;

  const OpGraph& graph_;
  const ValueTable& values_;
};

}  // namespace vizd::tinygrad_2025_09
