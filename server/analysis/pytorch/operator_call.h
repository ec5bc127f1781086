// OperatorCall: the inputs of one call of a PyTorch operator as the profiler recorded them, read: shapes, types and
// values. Formulas throw NotKnown where the inputs are not as they have them. Plain data.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/pytorch/operator_record.h"
#include "analysis/pytorch/python_literal.h"

namespace vizd {

using Shape = std::vector<double>;
using Bytes = std::optional<double>;  // none: of a type whose size is not known

struct NotKnown {};

double product(const Shape& shape, std::size_t from = 0);
double at(const Shape& shape, std::size_t i);
Bytes sum(std::initializer_list<Bytes> parts);

class OperatorCall {
 public:
  explicit OperatorCall(const OperatorInputs& inputs);

  std::size_t size() const { return dims_.size(); }
  bool has_values() const { return !concrete_.empty(); }
  bool has_value(std::size_t i) const { return i < concrete_.size() && concrete_[i].scalar; }

  const Shape& dims(std::size_t i) const;
  // The dimensions of input i, which must have `count` of them.
  const Shape& dims(std::size_t i, std::size_t count) const;
  bool has_tensor(std::size_t i) const { return !dims(i).empty(); }
  // Whether input i is one: of no dimensions too, where its type is told.
  bool is_tensor(std::size_t i) const;
  // The shapes of a list of tensors; none where it is no such list.
  const std::vector<Shape>& tensors(std::size_t i) const;
  const PythonLiteral& value(std::size_t i) const;

  // The size of an element of input i.
  std::optional<int> item_bytes(std::size_t i) const;
  // The bytes of input i; a missing tensor has none.
  Bytes input(std::size_t i) const;
  // The bytes of a tensor of that shape, in the type of input `like`.
  Bytes made(const Shape& shape, std::size_t like) const;

 private:
  void read_dims(std::string_view text);

  std::vector<std::optional<Shape>> dims_;
  std::vector<std::vector<Shape>> lists_;  // by input
  std::vector<std::string> types_;
  std::vector<PythonLiteral> concrete_;
};

}  // namespace vizd
