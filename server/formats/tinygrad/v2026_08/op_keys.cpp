#include "formats/tinygrad/v2026_08/op_keys.h"

#include <fmt/format.h>

#include "formats/tinygrad/v2026_08/dtype.h"

namespace vizd::tinygrad_2026_08 {
namespace {

constexpr std::string_view kDefaultKernelInfo =
    "KernelInfo(name='test', axis_types=(), dont_use_locals=False, applied_opts=(), opts_to_apply=None, "
    "estimates=None, beam=0)";

}  // namespace

const Digest256& OpKeys::key(OpId id) {
  std::vector<OpId> stack{id};
  while (!stack.empty()) {
    const OpId next = stack.back();
    const std::size_t before = stack.size();
    if (!keys_.contains(next)) {
      for (const OpId source : graph_.src(next)) {
        if (!keys_.contains(source)) stack.push_back(source);
      }
    }
    if (stack.size() > before) continue;
    stack.pop_back();
    if (keys_.contains(next)) continue;
    const Op op = graph_.op(next);
    keys_.emplace(next, find(op, argument(op.arg)));
  }
  return keys_.at(id);
}

Digest256 OpKeys::canonical_key(OpId id) {
  const Op op = graph_.op(id);
  const ValueTable& values = graph_.values();
  const bool is_kernel = static_cast<Ops>(op.kind) == Ops::kSink && values.kind(op.arg) == ValueKind::kObject &&
                         values.type_name(op.arg) == "tinygrad.uop.ops.KernelInfo";
  const Digest256 plain = key(id);
  return is_kernel ? find(op, kDefaultKernelInfo) : plain;
}

// The key of an op whose sources have their keys.
Digest256 OpKeys::find(const Op& op, std::string_view argument) {
  std::string text = fmt::format("(Ops.{}, {}, {})", text_.name_of(static_cast<Ops>(op.kind)),
                                 dtype_text(graph_.values(), op.dtype), argument);
  for (const OpId source : op.src) {
    const Digest256& key = keys_.at(source);
    text.append(reinterpret_cast<const char*>(key.data()), key.size());
  }
  return sha256(text);
}

const std::string& OpKeys::argument(ValueId arg) {
  const auto [entry, is_new] = arguments_.try_emplace(arg);
  if (is_new) entry->second = text_.repr(arg);
  return entry->second;
}

}  // namespace vizd::tinygrad_2026_08
