#include "analysis/pytorch/python_literal.h"

#include <charconv>
#include <limits>

namespace vizd {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<double> scalar_of(std::string_view text) {
  text = trimmed(text);
  if (text == "True") return 1;
  if (text == "False") return 0;
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

double PythonLiteral::number() const { return scalar.value_or(std::numeric_limits<double>::quiet_NaN()); }

std::vector<double> PythonLiteral::spread(std::size_t count) const {
  if (!list) return std::vector<double>(count, number());
  if (list->size() == 1) return std::vector<double>(count, list->front());
  return *list;
}

PythonLiteral python_literal(std::string_view text) {
  text = trimmed(text);
  PythonLiteral literal;
  const bool is_list =
      text.size() >= 2 && ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'));
  if (!is_list) {
    literal.scalar = scalar_of(text);
    return literal;
  }
  text = trimmed(text.substr(1, text.size() - 2));
  std::vector<double> list;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const auto item = scalar_of(text.substr(0, comma));
    if (!item) return literal;
    list.push_back(*item);
    text = trimmed(text.substr(std::min(comma + 1, text.size())));
  }
  literal.list = std::move(list);
  return literal;
}

}  // namespace vizd
