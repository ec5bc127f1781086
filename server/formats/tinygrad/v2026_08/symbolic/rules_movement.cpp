// Rules that clean up views and vectors (movement.py mop_cleanup).
#include <algorithm>

#include "formats/tinygrad/symbolic/simplifier.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using S = Simplifier;
using N = const Bindings;

bool is_identity(const ValueTable& values, ValueId order) {
  const auto items = values.items(order);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (values.kind(items[i]) != ValueKind::kInt || values.as_int(items[i]) != static_cast<std::int64_t>(i))
      return false;
  }
  return true;
}

// x.index(*src)
ExprId indexed(S& s, ExprId x, std::span<const ExprId> src) {
  ExprGraph& g = s.graph();
  if (src.size() == 1 && g.is_const(src[0]) && g.op(x) == Ops::kStack) {
    Wide at = g.number(src[0]).integer;
    const auto count = static_cast<Wide>(g.src(x).size());
    if (at < 0) at += count;
    if (at >= 0 && at < count) return g.src(x, static_cast<std::size_t>(at));
    g.fail();
    return x;
  }
  std::vector<ExprId> all{x};
  all.insert(all.end(), src.begin(), src.end());
  return g.make(Ops::kIndex, all);
}

std::vector<ExprId> copy(std::span<const ExprId> ids) { return {ids.begin(), ids.end()}; }

bool all_scalar(S& s, std::span<const ExprId> ids) {
  return std::ranges::all_of(copy(ids), [&](ExprId id) { return s.shape(id) == ShapeTable::kScalar; });
}

Rewritten drop_reshape(S& s, N& n) {
  const ShapeId before = s.shape(n['y']);
  if (before == ShapeId::kNone) return std::nullopt;
  return before == s.shape(n['x']) ? Rewritten(n['y']) : std::nullopt;
}

// A vector of all items of another, in order, is that.
Rewritten unpack_whole(S& s, N& n) {
  ExprGraph& g = s.graph();
  if (s.shape(n['s']) != s.shape(n['v'])) return std::nullopt;
  const auto items = g.src(n['s']);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!g.is_const(g.src(items[i], 1), static_cast<Wide>(i))) return std::nullopt;
  }
  return n['v'];
}

Rewritten pick_item(S& s, N& n) {
  ExprGraph& g = s.graph();
  const ExprId at[] = {n['i']};
  const auto src = copy(g.src(n['x']));
  const ExprId item = indexed(s, n['a'], at);
  return src.size() <= 2 ? item : indexed(s, item, std::span(src).subspan(2));
}

Rewritten join_indices(S& s, N& n) {
  ExprGraph& g = s.graph();
  auto inner = copy(g.src(n['a']));
  const auto outer = copy(g.src(n['b']));
  const std::span<const ExprId> inner_at = std::span(inner).subspan(1), outer_at = std::span(outer).subspan(1);
  if (!all_scalar(s, inner_at) || !all_scalar(s, outer_at)) return std::nullopt;
  std::vector<ExprId> all(inner_at.begin(), inner_at.end());
  all.insert(all.end(), outer_at.begin(), outer_at.end());
  return indexed(s, inner[0], all);
}

Rewritten index_of_index(S& s, N& n) {
  const auto src = copy(s.graph().src(n['b']));
  const auto at = std::span(src).subspan(1);
  const ShapeId shape = s.shape(n['i']);
  if (!is_shape(shape)) s.graph().fail();
  if (!is_shape(shape) || s.shapes().get(shape).size() != at.size()) return std::nullopt;
  const ExprId inner[] = {indexed(s, n['i'], at)};
  return indexed(s, n['u'], inner);
}

}  // namespace

std::vector<Rule> movement_rules() {
  Pattern picked = op({Ops::kIndex}, {Pattern{.ops = {Ops::kStack}, .name = 'a'}, cvar('i')}, 'x');
  picked.more_sources = true;
  Pattern of_index = op({Ops::kIndex}, {Pattern{.ops = {Ops::kIndex}, .name = 'a'}}, 'b');
  of_index.more_sources = true;
  Pattern of_shaped = op({Ops::kIndex}, {op({Ops::kIndex}, {var('u'), var('i')})}, 'b');
  of_shaped.more_sources = true;
  const Pattern item = op({Ops::kIndex}, {var('v'), Pattern{.ops = {Ops::kConst}}});
  const Pattern whole{.ops = {Ops::kStack}, .name = 's', .sources = Pattern::Sources::kAllAlike, .src = {item}};
  return {
      {"reshape of a reshape", op({Ops::kReshape}, {Pattern{.ops = {Ops::kReshape}, .name = 'y'}, var()}, 'x'),
       [](S& s, N& n) -> Rewritten {
         const ExprId src[] = {s.graph().src(n['y'], 0), s.graph().src(n['x'], 1)};
         return s.graph().with_sources(n['x'], src);
       }},
      {"reshape to what it is", op({Ops::kReshape}, {var('y'), var()}, 'x'), drop_reshape},
      {"permutation that is none", Pattern{.ops = {Ops::kPermute}, .name = 'x'},
       [](S& s, N& n) -> Rewritten {
         const bool is_none = is_identity(s.graph().values(), s.graph().arg(n['x']));
         return is_none ? Rewritten(s.graph().src(n['x'], 0)) : std::nullopt;
       }},
      {"all items of a vector", whole, unpack_whole},
      {"an item of a vector", picked, pick_item},
      {"index of an index", of_index, join_indices},
      {"index of an index of many", of_shaped, index_of_index},
  };
}

}  // namespace vizd::tinygrad_2026_08
