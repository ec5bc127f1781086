#include "reference/inspector/value_summary.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

namespace vizd::inspector {
namespace {

std::string sha1_hex(std::span<const std::byte> bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha1(), nullptr) != 1) return {};
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

void write_tensor(JsonWriter& json, const Tensor& tensor) {
  write_type(json.begin_object(), tensor);
  if (tensor.no_data) {
    json.key("no_data").boolean(true).end_object();
    return;
  }
  const TensorSummary summary = summarize(tensor);
  json.key("sha1").text(summary.sha1);
  write_figures(json, summary);
  json.column("first", summary.first, [](JsonWriter& j, double value) { write_real(j, value); });
  json.end_object();
}

}  // namespace

TensorSummary summarize(const Tensor& tensor) {
  TensorSummary summary;
  summary.sha1 = sha1_hex(tensor.bytes);
  if (tensor.no_data) return summary;
  const std::uint64_t count = tensor.element_count();
  std::uint64_t finite = 0;
  double sum = 0, lost = 0, least = 0, greatest = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = tensor.element(i);
    if (i < 4) summary.first.push_back(value);
    if (std::isnan(value)) {
      ++summary.nan_count;
    } else if (std::isinf(value)) {
      ++summary.infinite_count;
    } else {
      summary.zero_count += value == 0 ? 1 : 0;
      least = finite == 0 ? value : std::min(least, value);
      greatest = finite == 0 ? value : std::max(greatest, value);
      ++finite;
      // Kahan: what the sum could not hold is added with the next one.
      const double corrected = value - lost, next = sum + corrected;
      lost = (next - sum) - corrected;
      sum = next;
    }
  }
  if (finite != 0) {
    summary.min = least;
    summary.max = greatest;
    summary.mean = sum / static_cast<double>(finite);
  }
  return summary;
}

void write_real(JsonWriter& json, double value) {
  if (std::isnan(value)) {
    json.text("nan");
  } else if (std::isinf(value)) {
    json.text(value > 0 ? "inf" : "-inf");
  } else {
    json.real(value);
  }
}

void write_type(JsonWriter& json, const Tensor& tensor) {
  json.key("dtype").text(dtype_name(tensor.type));
  json.column("shape", tensor.shape, [](JsonWriter& j, std::int64_t size) { j.number(size); });
}

void write_figures(JsonWriter& json, const TensorSummary& summary) {
  const auto number = [&](std::string_view name, const std::optional<double>& value) {
    json.key(name);
    value ? write_real(json, *value) : static_cast<void>(json.null());
  };
  number("min", summary.min);
  number("max", summary.max);
  number("mean", summary.mean);
  json.key("nan").number(summary.nan_count).key("inf").number(summary.infinite_count);
}

void write_value(JsonWriter& json, const Value& value) {
  if (const Tensor* tensor = value.tensor()) return write_tensor(json, *tensor);
  if (const auto* list = value.list()) {
    json.begin_array();
    for (const Value& item : *list) write_value(json, item);
    json.end_array();
  } else if (const auto* truth = std::get_if<bool>(&value.data)) {
    json.boolean(*truth);
  } else if (const auto* number = std::get_if<std::int64_t>(&value.data)) {
    json.number(*number);
  } else if (const auto* real = std::get_if<double>(&value.data)) {
    write_real(json, *real);
  } else {
    json.null();
  }
}

}  // namespace vizd::inspector
