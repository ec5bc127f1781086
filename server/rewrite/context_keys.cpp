#include "rewrite/context_keys.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "base/content_hash.h"

namespace vizd {
namespace {

// Hashes of ops and of the values that they carry, each made once. Ops and values may nest deep: what is not hashed yet
// waits on a stack.
class ContentHashes {
 public:
  explicit ContentHashes(const Capture& capture)
      : dialect_(capture.dialect.get()), ops_(capture.ops), values_(capture.values) {}

  std::uint64_t of_op(OpId root) {
    std::vector<OpId> stack{root};
    while (!stack.empty()) {
      const OpId id = stack.back();
      if (by_op_.contains(id)) {
        stack.pop_back();
        continue;
      }
      const auto src = ops_.src(id);
      const std::size_t before = stack.size();
      for (const OpId source : src) {
        if (!by_op_.contains(source)) stack.push_back(source);
      }
      if (stack.size() > before) continue;
      by_op_.emplace(id, hash(ops_.op(id)));
      stack.pop_back();
    }
    return by_op_.at(root);
  }

 private:
  static constexpr int kMostDepth = 100;  // of values: the reader refuses deeper ones

  std::uint64_t hash(const Op& op) {
    ContentHash made;
    // By name where there is one: a recording may number the kinds as it meets them.
    if (dialect_ != nullptr) {
      made.add(dialect_->kind_name(op.kind));
    } else {
      made.add(std::uint64_t{op.kind});
    }
    for (const ValueId value : {op.dtype, op.arg, op.tag}) made.add(of_value(value, 0));
    for (const OpId source : op.src) made.add(by_op_.at(source));
    return made.value();
  }

  std::uint64_t of_value(ValueId id, int depth) {
    if (const auto found = by_value_.find(id); found != by_value_.end()) return found->second;
    const ValueKind kind = values_.kind(id);
    ContentHash made;
    made.add(static_cast<std::uint64_t>(kind));
    switch (kind) {
      case ValueKind::kNone:
      case ValueKind::kOp:  // of another graph: its place in the capture says nothing
        break;
      case ValueKind::kBool:
      case ValueKind::kInt:
        made.add(static_cast<std::uint64_t>(values_.as_int(id)));
        break;
      case ValueKind::kFloat: {
        const double real = values_.as_real(id);
        made.add(std::span<const double>(&real, 1));
        break;
      }
      case ValueKind::kString:
      case ValueKind::kBytes:
      case ValueKind::kBigInt:
      case ValueKind::kEnum:
        made.add(values_.text(id));
        break;
      default:
        if (kind == ValueKind::kObject) made.add(values_.type_name(id));
        for (const ValueId item : values_.items(id)) {
          if (depth < kMostDepth) made.add(of_value(item, depth + 1));
        }
    }
    return by_value_.emplace(id, made.value()).first->second;
  }

  const Dialect* dialect_;
  const OpGraph& ops_;
  const ValueTable& values_;
  std::unordered_map<OpId, std::uint64_t> by_op_;
  std::unordered_map<ValueId, std::uint64_t> by_value_;
};

}  // namespace

std::vector<std::uint32_t> context_keys(const Capture& capture) {
  const Rewrites& rewrites = capture.rewrites;
  ContentHashes hashes(capture);
  std::vector<std::uint32_t> keys;
  keys.reserve(rewrites.contexts.size());
  for (const Context& context : rewrites.contexts) {
    const bool is_kernel = index(context.program) != kNoId && context.pass_count > 0;
    const std::uint64_t hash = is_kernel ? hashes.of_op(rewrites.passes[context.first_pass].sink) : 0;
    keys.push_back(is_kernel ? std::max<std::uint32_t>(static_cast<std::uint32_t>(hash ^ hash >> 32), 1) : 0);
  }
  return keys;
}

}  // namespace vizd
