// OpKeys: tinygrad's UOp.key, the digest of an op and all it is made of, without tags. Belongs to one thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/sequence_table.h"
#include "base/sha256.h"
#include "formats/tinygrad/v2026_08/value_text.h"
#include "model/op_graph.h"

namespace vizd::tinygrad_2026_08 {

class OpKeys {
 public:
  // names: of ops that no table has; it must outlive this.
  explicit OpKeys(const OpGraph& graph, const OpNames* names) : graph_(graph), text_(graph, names) {}

  // The key of an op that does not change in place.
  const Digest256& key(OpId id);
  // The key of the op with another argument (canonicalize_ast: a kernel's, without what code generation adds to it).
  Digest256 canonical_key(OpId id);
  // Whether it had one: its users' are of it.
  bool forget(OpId id) { return keys_.erase(id) > 0; }

 private:
  Digest256 find(const Op& op, std::string_view argument);
  const std::string& argument(ValueId arg);

  const OpGraph& graph_;
  ValueText text_;
  std::unordered_map<OpId, Digest256> keys_;
  std::unordered_map<ValueId, std::string> arguments_;
};

}  // namespace vizd::tinygrad_2026_08
