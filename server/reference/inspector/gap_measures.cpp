#include "reference/inspector/gap_measures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vizd::inspector {
namespace {

std::string shape_text(std::span<const std::int64_t> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

void without_nan(std::vector<double>& numbers) {
  if (std::ranges::none_of(numbers, [](double n) { return std::isnan(n); })) return;
  constexpr double kGreatest = std::numeric_limits<double>::max();
  for (double& n : numbers) {
    if (std::isnan(n)) n = 0;
    if (std::isinf(n)) n = n > 0 ? kGreatest : -kGreatest;
  }
}

// Both arrays laid out over the shape that they have together.
struct Pair {
  std::vector<double> a, b;
};

std::vector<double> spread(const NumberArray& from, std::span<const std::int64_t> shape, std::size_t count) {
  if (from.numbers.size() == count) return from.numbers;
  std::vector<std::size_t> strides(shape.size(), 0);
  for (std::size_t d = shape.size(), own = from.shape.size(), stride = 1; own-- > 0;) {
    --d;
    if (from.shape[own] != 1) strides[d] = stride;
    stride *= static_cast<std::size_t>(from.shape[own]);
  }
  std::vector<double> out(count);
  std::vector<std::int64_t> at(shape.size(), 0);
  for (std::size_t i = 0, place = 0; i < count; ++i) {
    out[i] = from.numbers[place];
    for (std::size_t d = shape.size(); d-- > 0;) {
      place += strides[d];
      if (++at[d] < shape[d]) break;
      place -= strides[d] * static_cast<std::size_t>(shape[d]);
      at[d] = 0;
    }
  }
  return out;
}

Result<Pair> broadcast(const NumberArray& a, const NumberArray& b) {
  constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 28;
  std::vector<std::int64_t> shape(std::max(a.shape.size(), b.shape.size()), 1);
  for (std::size_t i = 0; i < shape.size(); ++i) {  // from the last dimension on
    const std::int64_t left = i < a.shape.size() ? a.shape[a.shape.size() - 1 - i] : 1;
    const std::int64_t right = i < b.shape.size() ? b.shape[b.shape.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1) {
      return Error{ErrorKind::kBadInput,
                   fmt::format("ValueError: the reference is {} and the runtime's value {}", shape_text(a.shape),
                               shape_text(b.shape)),
                   ""};
    }
    shape[shape.size() - 1 - i] = left == 1 ? right : left;
  }
  const auto count = element_count_of(shape);
  if (!count || *count > kMostNumbers) {
    return Error{ErrorKind::kTooLarge, fmt::format("compares more than {} numbers", kMostNumbers), ""};
  }
  return Pair{spread(a, shape, *count), spread(b, shape, *count)};
}

double mean_square(std::span<const double> numbers) {
  double sum = 0;
  for (const double n : numbers) sum += n * n;
  return sum / static_cast<double>(numbers.size());
}

double cosine(const Pair& pair) {
  double product = 0, a = 0, b = 0;
  for (std::size_t i = 0; i < pair.a.size(); ++i) {
    product += pair.a[i] * pair.b[i];
    a += pair.a[i] * pair.a[i];
    b += pair.b[i] * pair.b[i];
  }
  if (a == 0 && b == 0) return 1;
  return a == 0 || b == 0 ? 0 : std::clamp(product / (std::sqrt(a) * std::sqrt(b)), -1.0, 1.0);
}

double max_relative(const Pair& pair) {
  double greatest = 0, worst = 0;
  for (const double n : pair.a) greatest = std::max(greatest, std::abs(n));
  for (std::size_t i = 0; i < pair.a.size(); ++i) {
    const double distance = std::abs(pair.a[i] - pair.b[i]);
    const double size = pair.a[i] != 0 ? std::abs(pair.a[i]) : greatest;
    if (distance != 0) worst = std::max(worst, size == 0 ? std::numeric_limits<double>::infinity() : distance / size);
  }
  return worst;
}

}  // namespace

std::string_view metric_name(GapMetric metric) {
  constexpr std::string_view kNames[] = {"MSE", "L1", "SNR", "cosine", "max relative"};
  return kNames[static_cast<std::size_t>(metric)];
}

Result<NumberArray> number_array(const Value& value) {
  if (const Tensor* tensor = value.tensor()) {
    if (tensor->no_data) return Error{ErrorKind::kBadInput, "the tensor has no data; give the debug buffer", ""};
    NumberArray array{tensor->shape, elements(*tensor)};
    without_nan(array.numbers);
    return array;
  }
  if (const auto* list = value.list()) return stack_values(*list);
  if (const auto* truth = std::get_if<bool>(&value.data)) return NumberArray{{}, {*truth ? 1.0 : 0.0}};
  if (const auto* number = std::get_if<std::int64_t>(&value.data))
    return NumberArray{{}, {static_cast<double>(*number)}};
  if (const auto* real = std::get_if<double>(&value.data)) {
    NumberArray array{{}, {*real}};
    without_nan(array.numbers);
    return array;
  }
  return Error{ErrorKind::kBadInput, "ValueError: Cannot convert value of type <class 'NoneType'> to a tensor", ""};
}

Result<NumberArray> stack_values(std::span<const Value> values) {
  const auto wrong = [](std::string what) {
    return Error{ErrorKind::kBadInput, "ValueError: Cannot convert value of type <class 'tuple'> to a tensor: " + what,
                 ""};
  };
  if (values.empty()) return wrong("stack expects a non-empty TensorList");
  NumberArray out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto item = number_array(values[i]);
    if (!item) return std::move(item).error();
    if (i == 0) out.shape = item->shape;
    if (item->shape != out.shape) {
      return wrong(fmt::format("stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {}",
                               shape_text(out.shape), shape_text(item->shape), i));
    }
    out.numbers.insert(out.numbers.end(), item->numbers.begin(), item->numbers.end());
  }
  out.shape.insert(out.shape.begin(), static_cast<std::int64_t>(values.size()));
  return out;
}

Result<double> gap_between(GapMetric metric, const NumberArray& reference, const NumberArray& runtime) {
  const auto pair = broadcast(reference, runtime);
  if (!pair) return pair.error();
  std::vector<double> distance(pair->a.size());
  for (std::size_t i = 0; i < distance.size(); ++i) distance[i] = pair->a[i] - pair->b[i];
  double sum = 0;
  switch (metric) {
    case GapMetric::kMse:
      return mean_square(distance);
    case GapMetric::kL1:
      for (const double d : distance) sum += std::abs(d);
      return sum;
    case GapMetric::kSnr:
      return 10 * std::log10(mean_square(reference.numbers) / mean_square(distance));
    case GapMetric::kCosine:
      return cosine(*pair);
    case GapMetric::kMaxRelative:
      return max_relative(*pair);
  }
  return sum;
}

}  // namespace vizd::inspector
