// PythonLiteral: a value as Python prints it, which PyTorch's profiler records of an operator's inputs that are no
// tensors: None, True, 1, 0.5, [1, 1]. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace vizd {

struct PythonLiteral {
  // Truth values are 0 and 1. Neither is set where the text is none of these, or None.
  std::optional<double> scalar;
  std::optional<std::vector<double>> list;

  bool is_true() const { return (scalar && *scalar != 0) || (list && !list->empty()); }
  // The number; not a number where it is none, which no formula's result hides.
  double number() const;
  // One number for each of so many: the list as it is, of one its number so often, a number likewise.
  std::vector<double> spread(std::size_t count) const;
};

PythonLiteral python_literal(std::string_view text);

}  // namespace vizd
