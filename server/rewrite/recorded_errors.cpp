#include "rewrite/recorded_errors.h"

namespace vizd {
namespace {

std::string message_of(const Capture& capture, const Op& op) {
  if (capture.values.kind(op.arg) == ValueKind::kString) return std::string(capture.values.text(op.arg));
  return capture.dialect->value_text(op.arg);
}

}  // namespace

std::vector<RecordedError> recorded_errors(const Capture& capture, const Context& context) {
  std::vector<RecordedError> errors;
  if (!capture.dialect) return errors;
  const auto passes = capture.rewrites.passes_of(context);
  for (std::uint32_t pass = 0; pass < passes.size(); ++pass) {
    const auto matches = capture.rewrites.matches_of(passes[pass]);
    for (std::uint32_t i = 0; i < matches.size(); ++i) {
      const OpId after = matches[i].after;
      if (capture.dialect->kind_name(capture.ops.kind(after)) != kErrorKind) continue;
      errors.push_back({pass, i + 1, message_of(capture, capture.ops.op(after))});
    }
  }
  return errors;
}

}  // namespace vizd
