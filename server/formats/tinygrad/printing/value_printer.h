// ValuePrinter: a capture's values and ops as Python would print them: str() and repr(). What all versions of tinygrad
// print alike is here; a version says how the classes of its own print, any other class is <module.Name>. Recurses
// only into values in values, to a fixed depth; texts have a fixed greatest size. Reads its graph alone; any number of
// threads, while nothing is added to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/op_graph.h"

namespace vizd::tinygrad {

class ValuePrinter {
 public:
  // Deeper values print as "…", and a text that grows past its limit ends in "…" where it is.
  static constexpr int kMaxDepth = 200;
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 20;        // of a value
  static constexpr std::size_t kMaxGraphBytes = std::size_t{64} << 20;  // of a graph

  // before_number stands before the number of an op that was printed before.
  ValuePrinter(const OpGraph& graph, std::string_view before_number)
      : graph_(graph), values_(graph.values()), before_number_(before_number) {}
  virtual ~ValuePrinter() = default;

  std::string str(ValueId value) const;
  std::string repr(ValueId value) const;
  // An op as it prints up to its sources: "UOp(Ops.ADD, dtypes.int, arg=None, src=(".
  std::string op_head(OpId op) const;
  // str(UOp): the graph under root, one op a line, those used more than once by number (pretty_print).
  std::string graph(OpId root) const;
  std::string_view before_number() const { return before_number_; }

 protected:
  void append_str(std::string& out, ValueId value, int depth) const;
  void append_repr(std::string& out, ValueId value, int depth) const;
  void append_items(std::string& out, std::string_view open, ValueId sequence, std::string_view close, int depth) const;
  // Class(field=value, …)
  void append_dataclass(std::string& out, ValueId object, int depth) const;
  bool is_object_of(ValueId value, std::string_view type_name) const {
    return values_.kind(value) == ValueKind::kObject && values_.type_name(value) == type_name;
  }
  bool is_true(ValueId value) const { return values_.kind(value) == ValueKind::kBool && values_.as_bool(value); }

  // repr() of a member of an enumeration.
  virtual void append_member(std::string& out, ValueId member) const;
  // str() of an object, where that is not its repr(); whether it was appended.
  virtual bool append_object_str(std::string& out, ValueId object, int depth) const;

  const OpGraph& graph_;
  const ValueTable& values_;

 private:
  // repr() of an object of a class that not all versions have, or print alike; whether it was appended.
  virtual bool append_own_object(std::string& out, ValueId object, int depth) const = 0;
  virtual void append_op_head(std::string& out, OpId op, int depth) const = 0;

  void append_object(std::string& out, ValueId object, int depth) const;
  void append_graph(std::string& out, OpId root, int depth) const;

  std::string_view before_number_;
};

// "Class" of "module.Class"
std::string_view class_name_of(std::string_view type_name);

}  // namespace vizd::tinygrad
