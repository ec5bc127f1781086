#include "analysis/pytorch/attention_heads.h"

#include <algorithm>
#include <cmath>

#include "analysis/pytorch/operator_call.h"
#include "base/ascii_case.h"

namespace vizd {
namespace {

constexpr std::string_view kAttentionWords[] = {"attention", "attn", "mha"};
// [tokens, heads, size], or a cache of them: [blocks, in a block, heads, size].
constexpr std::size_t kFewestDims = 3;

double heads_of(const Shape& shape) { return shape[shape.size() - 2]; }

}  // namespace

OperatorCost AttentionHeads::cost(const AttentionSums& sums) const {
  const double sizes = key_size + value_size;
  OperatorCost cost{.flop = 2 * queries * sizes * sums.pairs, .bytes = {}};
  if (item_bytes) cost.bytes = *item_bytes * sizes * (sums.queries * queries + sums.keys * keys);
  return cost;
}

std::optional<AttentionHeads> attention_heads(const OperatorInputs& inputs) {
  const auto is_in_name = [&](std::string_view word) { return contains_in_any_case(inputs.name, word); };
  if (std::ranges::none_of(kAttentionWords, is_in_name)) return std::nullopt;
  const OperatorCall call(inputs);
  std::vector<std::size_t> with_heads;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (call.is_tensor(i) && call.dims(i).size() >= kFewestDims) with_heads.push_back(i);
  }
  if (with_heads.size() < 3) return std::nullopt;
  // Queries, or what is written for them, come first. Keys and values are the last two of equal rank and heads, after
  // them.
  const Shape& query = call.dims(with_heads.front());
  for (std::size_t v = with_heads.size() - 1; v >= 2; --v) {
    const Shape &keys = call.dims(with_heads[v - 1]), &values = call.dims(with_heads[v]);
    if (keys.size() != values.size() || heads_of(keys) != heads_of(values)) continue;
    const AttentionHeads heads{.queries = heads_of(query),
                               .keys = heads_of(keys),
                               .key_size = keys.back(),
                               .value_size = values.back(),
                               .item_bytes = call.item_bytes(with_heads.front())};
    const bool are_shared = heads.keys > 0 && std::fmod(heads.queries, heads.keys) == 0;
    return are_shared && heads.key_size == query.back() ? std::optional(heads) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace vizd
