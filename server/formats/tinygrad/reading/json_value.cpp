#include "formats/tinygrad/reading/json_value.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "formats/tinygrad/python/json_text.h"
#include "formats/tinygrad/python/text.h"

namespace vizd::tinygrad {
namespace {

using pickle::Kind;
using pickle::Node;

constexpr int kDeepest = 100;

// A value that is neither text nor made of others, written alike as value and as key.
std::optional<std::string> plain_text(const pickle::Tree& tree, Node node) {
  switch (node.kind()) {
    case Kind::kNone:
      return "null";
    case Kind::kBool:
      return tree.integer(node) == 1 ? "true" : "false";
    case Kind::kInt:
      return std::to_string(tree.integer(node).value_or(0));
    case Kind::kLong:
      return tree.long_digits(node);
    case Kind::kFloat: {
      const double value = tree.real(node).value_or(0);
      return std::isfinite(value) ? std::optional(python::float_repr(value)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

class ValueWriter {
 public:
  ValueWriter(const pickle::Tree& tree, std::size_t most_bytes) : tree_(tree), most_bytes_(most_bytes) {}

  // Whether all of it could be written.
  bool write(Node node, int depth) {
    if (depth > kDeepest || out.size() > most_bytes_) return false;
    switch (node.kind()) {
      case Kind::kString:
        out += python::json_string(tree_.text(node));
        return true;
      case Kind::kTuple:
        return write_items(depth, [&](auto&& each) {
          for (const Node item : tree_.tuple(node)) each(item);
        });
      case Kind::kList:
        return write_items(depth, [&](auto&& each) { tree_.for_each(tree_.container(node), each); });
      case Kind::kDict:
        return write_dict(node, depth);
      default: {
        const auto text = plain_text(tree_, node);
        out += text.value_or("");
        return text.has_value();
      }
    }
  }

  std::string out;

 private:
  template <typename ForEach>
  bool write_items(int depth, ForEach&& for_each) {
    bool is_first = true, is_whole = true;
    out += '[';
    for_each([&](Node item) {
      if (!is_whole) return;
      if (!is_first) out += ", ";
      is_first = false;
      is_whole = write(item, depth + 1);
    });
    out += ']';
    return is_whole;
  }

  bool write_dict(Node node, int depth) {
    bool is_first = true, is_whole = true;
    out += '{';
    tree_.for_each_pair(tree_.container(node), [&](Node key, Node value) {
      if (!is_whole) return;
      const auto name = json_key(tree_, key);
      if (!is_first) out += ", ";
      is_first = false;
      if (name) out += python::json_string(*name) + ": ";
      is_whole = name && write(value, depth + 1);
    });
    out += '}';
    return is_whole;
  }

  const pickle::Tree& tree_;
  const std::size_t most_bytes_;
};

}  // namespace

std::optional<std::string> json_value(const pickle::Tree& tree, Node node, std::size_t most_bytes) {
  ValueWriter writer(tree, most_bytes);
  if (!writer.write(node, 0)) return std::nullopt;
  return std::move(writer.out);
}

std::optional<std::string> json_key(const pickle::Tree& tree, Node node) {
  if (node.is(Kind::kString)) return std::string(tree.text(node));
  return plain_text(tree, node);
}

}  // namespace vizd::tinygrad
