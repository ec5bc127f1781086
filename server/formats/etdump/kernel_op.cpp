#include "formats/etdump/kernel_op.h"

#include <fmt/core.h>

#include <algorithm>

namespace vizd::etdump {
namespace {

constexpr std::string_view kPrefix = "native_call_", kOut = "out", kSuffix = "_out";

// Kernels whose name does not hold the overload of their operator.
struct Overload {
  std::string_view kernel, overload;
};
constexpr Overload kOverloads[] = {
    {"add.out", "Tensor"},
    {"sub.out", "Tensor"},
    {"mul.out", "Tensor"},
    {"div.out", "Tensor"},
    {"div.out_mode", "Tensor_mode"},
    {"mean.out", "dim"},
    {"any.out", "dim"},
    {"all.out", "dim"},
    {"var.out", "dim"},
    {"sum.IntList_out", "dim_IntList"},
    {"prod.int_out", "dim_int"},
};

}  // namespace

std::string kernel_op(std::string_view event_name) {
  if (!event_name.starts_with(kPrefix)) return "";
  const std::string_view kernel = event_name.substr(kPrefix.size());
  const auto dot = kernel.rfind('.');
  const std::string_view name = kernel.substr(0, dot);
  std::string_view overload = dot == kernel.npos ? kOut : kernel.substr(dot + 1);
  if (const auto* known = std::ranges::find(kOverloads, kernel, &Overload::kernel); known != std::end(kOverloads)) {
    overload = known->overload;
  } else if (overload == kOut) {
    overload = "default";
  } else if (overload.ends_with(kSuffix)) {
    overload.remove_suffix(kSuffix.size());
  }
  return fmt::format("aten.{}.{}", name, overload);
}

std::string_view base_name(std::string_view op) {
  const auto last = op.rfind('.');
  if (last == op.npos || last == 0) return op;
  const auto first = op.rfind('.', last - 1);
  return first == op.npos ? op.substr(0, last) : op.substr(first + 1, last - first - 1);
}

}  // namespace vizd::etdump
