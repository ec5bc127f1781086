#include "reference/inspector/gap_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace vizd::inspector {
namespace {

bool is_whole(ScalarType type) {
  switch (type) {
    case ScalarType::kHalf:
    case ScalarType::kFloat:
    case ScalarType::kDouble:
    case ScalarType::kBFloat16:
    case ScalarType::kFloat8E5M2:
    case ScalarType::kFloat8E4M3Fn:
    case ScalarType::kFloat8E5M2Fnuz:
    case ScalarType::kFloat8E4M3Fnuz:
    case ScalarType::kComplexHalf:
    case ScalarType::kComplexFloat:
    case ScalarType::kComplexDouble:
      return false;
    default:
      return true;
  }
}

// The step that a type rounds to, relative to a number's size.
double rounding_of(ScalarType type) {
  switch (type) {
    case ScalarType::kDouble:
      return 0x1p-52;
    case ScalarType::kHalf:
      return 0x1p-10;
    case ScalarType::kBFloat16:
      return 0x1p-7;
    case ScalarType::kFloat8E4M3Fn:
    case ScalarType::kFloat8E4M3Fnuz:
      return 0x1p-3;
    case ScalarType::kFloat8E5M2:
    case ScalarType::kFloat8E5M2Fnuz:
      return 0x1p-2;
    default:
      return 0x1p-23;
  }
}

// Numbers and truths are compared as tensors of one element.
Tensor as_tensor(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return *tensor;
  double number = 0;
  if (const auto* truth = std::get_if<bool>(&value.data)) number = *truth ? 1 : 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) number = static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value.data)) number = *real;
  const auto bytes = std::as_bytes(std::span(&number, 1));
  auto storage = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  const std::span<const std::byte> all = *storage;
  return {ScalarType::kDouble, {}, all, false, std::move(storage)};
}

}  // namespace

void flatten(std::span<const Value> values, std::vector<const Value*>& out) {
  for (const Value& value : values) {
    if (const auto* list = value.list()) {
      flatten(*list, out);
    } else if (!std::holds_alternative<std::monostate>(value.data)) {
      out.push_back(&value);
    }
  }
}

std::string text_of_value(const Value& value) {
  if (const Tensor* tensor = value.tensor()) {
    return fmt::format("{}[{}]", dtype_name(tensor->type), fmt::join(tensor->shape, ", "));
  }
  return "a number";
}

bool may_match(const Value& reference, const Value& runtime) {
  const Tensor *a = reference.tensor(), *b = runtime.tensor();
  if (a == nullptr || b == nullptr) return a == b;
  return a->shape == b->shape && is_whole(a->type) == is_whole(b->type);
}

bool has_data(const Value& value) { return value.tensor() == nullptr || !value.tensor()->no_data; }

std::optional<OutputGap> compare_values(const Value& reference, const Value& runtime) {
  const auto a = number_array(reference), b = number_array(runtime);
  if (!a || !b || a->numbers.empty()) return std::nullopt;
  OutputGap row;
  const auto measure = [&](GapMetric metric, double& out) {
    const auto gap = gap_between(metric, *a, *b);
    if (gap) out = *gap;
    return gap.has_value();
  };
  row.reference = as_tensor(reference);
  row.runtime = as_tensor(runtime);
  double power = 0;
  for (const double n : a->numbers) power += n * n;
  power /= static_cast<double>(a->numbers.size());
  const bool done = measure(GapMetric::kMse, row.mse) && measure(GapMetric::kL1, row.l1) &&
                    measure(GapMetric::kSnr, row.snr) && measure(GapMetric::kCosine, row.cosine) &&
                    measure(GapMetric::kMaxRelative, row.max_relative);
  row.relative_error = row.mse == 0 ? 0 : power == 0 ? std::sqrt(row.mse) : std::sqrt(row.mse / power);
  if (row.mse == 0) row.snr = std::numeric_limits<double>::infinity();
  return done ? std::optional(std::move(row)) : std::nullopt;
}

std::optional<std::size_t> first_grown(std::span<const OutputGap> rows) {
  constexpr double kGrowth = 10, kRoundings = 64;
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double error = rows[i].relative_error;
    const double rounding =
        kRoundings * std::max(rounding_of(rows[i].runtime.type), rounding_of(rows[i].reference.type));
    if (error > rounding && error > kGrowth * worst) return i;
    if (std::isfinite(error)) worst = std::max(worst, error);
  }
  return std::nullopt;
}

double OutputGap::metric(GapMetric which) const {
  switch (which) {
    case GapMetric::kMse:
      return mse;
    case GapMetric::kL1:
      return l1;
    case GapMetric::kSnr:
      return snr;
    case GapMetric::kCosine:
      return cosine;
    case GapMetric::kMaxRelative:
      return max_relative;
  }
  return 0;
}

}  // namespace vizd::inspector
