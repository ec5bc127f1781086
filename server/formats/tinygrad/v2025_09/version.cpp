#include "formats/tinygrad/v2025_09/version.h"

#include <array>

#include "formats/tinygrad/v2025_09/dialect.h"
#include "formats/tinygrad/v2025_09/estimates.h"
#include "formats/tinygrad/v2025_09/ops.h"

namespace vizd::tinygrad_2025_09 {
namespace {

// clang-format off
constexpr std::string_view kAxisTypes[] = {
    "GLOBAL", "WARP", "LOCAL", "LOOP", "GROUP_REDUCE", "REDUCE", "UPCAST", "UNROLL", "THREAD",
};
constexpr std::string_view kAddrSpaces[] = {
    "GLOBAL", "LOCAL", "REG",
};
constexpr std::string_view kOptOps[] = {
    "TC", "UPCAST", "UNROLL", "LOCAL", "THREAD", "GROUP", "GROUPTOP", "NOLOCALS", "PADTO", "SWAP",
};
// clang-format on

constexpr std::size_t kRealize = static_cast<std::size_t>(Ops::kRealize) - 1;

// The ops of the release 0.11.0 by number, which has no REALIZE.
constexpr auto release_ops() {
  std::array<std::string_view, kOpsCount - 2> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kOpNames[i < kRealize ? i : i + 1];
  return names;
}
const auto kReleaseOps = release_ops();

// clang-format off
constexpr std::string_view kReleaseAxisTypes[] = {
    "GLOBAL", "LOCAL", "LOOP", "GROUP_REDUCE", "REDUCE", "UPCAST", "UNROLL",
};
constexpr std::string_view kReleaseOptOps[] = {
    "TC", "UPCAST", "UNROLL", "LOCAL", "GROUP", "GROUPTOP", "NOLOCALS", "PADTO", "SWAP",
};
// clang-format on

constexpr tinygrad::EnumTable kEnums[] = {
    {"tinygrad.uop.Ops", kOpNames},
    {"tinygrad.uop.ops.AxisType", kAxisTypes},
    {"tinygrad.dtype.AddrSpace", kAddrSpaces},
    {"tinygrad.codegen.opt.OptOps", kOptOps},
};

const tinygrad::EnumTable kReleaseEnums[] = {
    {"tinygrad.uop.Ops", kReleaseOps, kOpNames},
    {"tinygrad.uop.ops.AxisType", kReleaseAxisTypes},
    {"tinygrad.dtype.AddrSpace", kAddrSpaces},
    {"tinygrad.codegen.opt.kernel.OptOps", kReleaseOptOps},
};

constexpr std::string_view kDTypeFields[] = {"priority", "itemsize",  "name", "fmt",  "count", "_scalar",
                                             "_base",    "addrspace", "v",    "size", "shape"};

using tinygrad::ClassKind;

constexpr tinygrad::ClassRow kClasses[] = {
    {"tinygrad.uop.ops.UOp", ClassKind::kUOp},
    {"tinygrad.schedule.kernelize.Kernel", ClassKind::kKernel},
    {"tinygrad.codegen.late.linearize.BasicBlock", ClassKind::kUnique},
    {"tinygrad.codegen.linearize.BasicBlock", ClassKind::kUnique},  // in 0.11.0
    {"tinygrad.schedule.rangeify.WrappedContig", ClassKind::kUnique},
    {"tinygrad.dtype.DType", ClassKind::kOther, kDTypeFields},
    {"tinygrad.dtype.PtrDType", ClassKind::kOther, kDTypeFields},
    {"tinygrad.dtype.ImageDType", ClassKind::kOther, kDTypeFields},
};

constexpr std::string_view kProfileFields[] = {"is_copy", "comp_tdiff"};

}  // namespace

constinit const tinygrad::Version kVersion = {
    .month = "2025-09",
    .format = "tinygrad-2025-09",
    .rewrites_top = tinygrad::RewritesTop::kTuples,
    .fits = [](const pickle::Tree& tree) { return tree.root.is(pickle::Kind::kList); },
    .profile_fields = kProfileFields,
    .enums = kEnums,
    .classes = kClasses,
    .make_dialect = make_dialect,
    .measure_executions = [] { return tinygrad::MeasureExecution(WorkOfExecutions()); },
};

const tinygrad::Version kRelease = {
    .month = "2025-08 (0.11.0)",
    .format = "tinygrad-0.11",
    .rewrites_top = tinygrad::RewritesTop::kTuples,
    .fits = [](const pickle::Tree& tree) { return tree.root.is(pickle::Kind::kTuple); },
    .enums = kReleaseEnums,
    .classes = kClasses,
    .make_dialect = make_dialect,
    .note =
        "was written by tinygrad 0.11.0: labels are approximate: constants, enumerations and numbers of ops are shown "
        "as tinygrad of 2025-09 prints them",
};

}  // namespace vizd::tinygrad_2025_09
