#include "formats/tinygrad/v2026_08/op_numbering.h"

#include <span>

namespace vizd::tinygrad_2026_08 {
namespace {

using pickle::Kind;
using pickle::Node;

// A DType that is neither void, as that of UNIQUE, nor a pointer, as that of the parameters of a kernel: those have a
// number for their argument too.
bool is_plain_dtype(const pickle::Tree& tree, Node dtype) {
  if (!tree.is_object_of(dtype, "tinygrad.dtype", "DType")) return false;
  const auto args = tree.tuple(tree.object(dtype).args);
  return args.size() > 2 && args[2].is(Kind::kString) && tree.text(args[2]) != "void";
}

}  // namespace

std::optional<std::int64_t> const_number(const pickle::Tree& tree) {
  std::optional<std::int64_t> found;
  const auto look = [&](std::span<const Node> fields) {
    if (found || fields.size() < 5 || !fields[0].is(Kind::kObject)) return;
    if (!fields[2].is(Kind::kTuple) || fields[2].count() != 0 || !is_plain_dtype(tree, fields[1])) return;
    if (!fields[3].is(Kind::kInt) && !fields[3].is(Kind::kBool)) return;
    if (!tree.is_object_of(fields[0], "tinygrad.uop", "Ops")) return;
    const auto args = tree.tuple(tree.object(fields[0]).args);
    if (args.size() == 1) found = tree.integer(args[0]);
  };
  if (tree.root.is(Kind::kObject)) {
    const Node ops = tree.attribute(tree.object(tree.root), "uop_fields").value_or(Node());
    if (ops.is(Kind::kDict)) {
      tree.for_each_pair(tree.container(ops), [&](Node, Node fields) {
        if (!found && fields.is(Kind::kTuple)) look(tree.tuple(fields));
      });
    }
  }
  for (const pickle::Object& object : tree.objects) {  // ops in keys
    if (found) break;
    const bool is_uop = object.callable.is(Kind::kClass) && object.args.is(Kind::kTuple) &&
                        tree.class_name(object.callable).name == "UOp";
    if (is_uop) look(tree.tuple(object.args));
  }
  return found;
}

std::vector<std::string_view> op_names_in(const pickle::Tree& tree) {
  std::vector<std::string_view> names;
  for (const pickle::Object& object : tree.objects) {
    if (!object.callable.is(Kind::kClass) || tree.class_name(object.callable).name != "getattr") continue;
    if (!object.args.is(Kind::kTuple)) continue;
    const auto args = tree.tuple(object.args);
    if (args.size() != 2 || !args[0].is(Kind::kClass) || !args[1].is(Kind::kString)) continue;
    if (tree.class_name(args[0]).name == "Ops") names.push_back(tree.text(args[1]));
  }
  return names;
}

}  // namespace vizd::tinygrad_2026_08
