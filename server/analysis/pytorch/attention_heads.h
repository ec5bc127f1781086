// AttentionHeads: of a server's attention operator, which reads keys and values from a cache, the heads and their
// sizes, by the shapes of its inputs. These do not tell how much of the cache is read: that is in the name of the
// server's step (graph_replay/step_name.h). docs/figures.md has the formulas. Pure.
#pragma once

#include <optional>

#include "analysis/pytorch/operator_cost.h"

namespace vizd {

// Sums over all requests of a step.
struct AttentionSums {
  double queries = 0, keys = 0;  // new tokens; tokens that these look at, once a request
  double pairs = 0;              // of a new token and one that it looks at
};

struct AttentionHeads {
  double queries = 0, keys = 0;         // heads
  double key_size = 0, value_size = 0;  // of a head
  std::optional<int> item_bytes = {};

  OperatorCost cost(const AttentionSums& sums) const;
};

// None where the operator is not named for attention, or its inputs are not queries, then keys and values of equally
// many heads.
std::optional<AttentionHeads> attention_heads(const OperatorInputs& inputs);

}  // namespace vizd
