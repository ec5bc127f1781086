// Graphs of tinygrad 2026-08 made by hand: a capture, and its ops in a line each.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/tinygrad/v2026_08/dialect.h"
#include "formats/tinygrad/v2026_08/dtype.h"
#include "model/capture.h"

namespace vizd::tinygrad_2026_08 {

struct MadeGraph {
  Capture capture;
  ValueTable& v = capture.values;

  ValueId dtype(Scalar scalar) { return add_dtype(v, scalar); }
  ValueId tuple(const std::vector<ValueId>& items) { return v.sequence(ValueKind::kTuple, items); }
  ValueId ints(const std::vector<int>& numbers) {
    std::vector<ValueId> items;
    for (const int number : numbers) items.push_back(v.integer(number));
    return tuple(items);
  }
  ValueId object(std::string_view type, const std::vector<std::pair<std::string_view, ValueId>>& fields) {
    std::vector<ValueId> items;
    for (const auto& [name, value] : fields) {
      items.push_back(v.string(name));
      items.push_back(value);
    }
    return v.object(type, items);
  }

  OpId op(Ops kind, Scalar scalar, const std::vector<OpId>& sources, ValueId arg = kNoneValue,
          ValueId tag = kNoneValue) {
    return capture.ops.add(static_cast<std::uint16_t>(kind), dtype(scalar), sources, arg, tag);
  }
  OpId whole(int value, Scalar scalar = Scalar::kWeakint) { return op(Ops::kConst, scalar, {}, v.integer(value)); }
  OpId real(double value) { return op(Ops::kConst, Scalar::kFloat32, {}, v.real(value)); }
  OpId truth(bool value) { return op(Ops::kConst, Scalar::kBool, {}, v.boolean(value)); }
  OpId vector(const std::vector<OpId>& items) {
    return op(Ops::kStack, items.empty() ? Scalar::kVoid : Scalar::kWeakint, items);
  }
  OpId sizes(const std::vector<int>& numbers) {
    std::vector<OpId> items;
    for (const int number : numbers) items.push_back(whole(number));
    return vector(items);
  }
  // A tensor in global memory.
  OpId tensor(int slot, const std::vector<int>& shape, Scalar scalar = Scalar::kFloat32) {
    return op(Ops::kParam, scalar, {sizes(shape)}, parameter(slot, kNoneValue, kNoneValue));
  }
  // A whole number that is known when the program runs.
  OpId variable(std::string_view name, int least, int greatest) {
    return op(Ops::kParam, Scalar::kWeakint, {vector({})}, parameter(-1, ints({least, greatest}), v.string(name)));
  }
  OpId range(int number, OpId end, std::string_view axis, int axis_number) {
    return op(Ops::kRange, Scalar::kWeakint, {end},
              tuple({v.integer(number), v.member("tinygrad.uop.ops.AxisType", axis, axis_number)}));
  }
  ValueId parameter(int slot, ValueId bounds, ValueId name) {
    return object("tinygrad.uop.ops.ParamArg", {{"slot", v.integer(slot)},
                                                {"dtype", dtype(Scalar::kFloat32)},
                                                {"vmin_vmax", bounds},
                                                {"multiple_of", kNoneValue},
                                                {"name", name},
                                                {"addrspace", v.member("tinygrad.dtype.AddrSpace", "GLOBAL", 1)}});
  }
};

// A graph as the viewer meets it: which of its ops have no box of their own is known, then labels are asked for.
class ShownGraph final : public Surroundings {
 public:
  ShownGraph(MadeGraph& made, OpId root)
      : graph_(made.capture.ops),
        root_(root),
        order_(toposort(graph_, root)),
        dialect_(make_dialect(made.capture)),
        analysis_(dialect_->analyse(graph_)) {
    for (const OpId id : order_) analysis_->find_hidden(id, *this);
  }

  std::string label(OpId id) { return std::string(analysis_->label_text(analysis_->label(id))); }
  std::string label() { return label(root_); }
  OpAnalysis& analysis() { return *analysis_; }
  const Dialect& dialect() const { return *dialect_; }

  bool is_root(OpId id) const override { return id == root_; }
  bool any_user(OpId id, const std::function<bool(OpId user)>& holds) const override {
    return std::ranges::any_of(order_, [&](OpId user) {
      const auto src = graph_.src(user);
      return std::ranges::find(src, id) != src.end() && holds(user);
    });
  }
  std::size_t place(OpId id) const override {
    return static_cast<std::size_t>(std::ranges::find(order_, id) - order_.begin());
  }

 private:
  const OpGraph& graph_;
  OpId root_;
  std::vector<OpId> order_;
  std::unique_ptr<Dialect> dialect_;
  std::unique_ptr<OpAnalysis> analysis_;
};

}  // namespace vizd::tinygrad_2026_08
