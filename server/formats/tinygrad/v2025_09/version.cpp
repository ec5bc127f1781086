#include "formats/tinygrad/v2025_09/version.h"

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

constexpr tinygrad::EnumTable kEnums[] = {
    {"tinygrad.uop.Ops", kOpNames},
    {"tinygrad.uop.ops.AxisType", kAxisTypes},
    {"tinygrad.dtype.AddrSpace", kAddrSpaces},
    {"tinygrad.codegen.opt.OptOps", kOptOps},
};

constexpr std::string_view kDTypeFields[] = {"priority", "itemsize",  "name", "fmt",  "count", "_scalar",
                                             "_base",    "addrspace", "v",    "size", "shape"};

using tinygrad::ClassKind;

constexpr tinygrad::ClassRow kClasses[] = {
    {"tinygrad.uop.ops.UOp", ClassKind::kUOp},
    {"tinygrad.schedule.kernelize.Kernel", ClassKind::kKernel},
    {"tinygrad.codegen.late.linearize.BasicBlock", ClassKind::kUnique},
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
    .profile_fields = kProfileFields,
    .enums = kEnums,
    .classes = kClasses,
    .make_dialect = make_dialect,
    .measure_executions = [] { return tinygrad::MeasureExecution(WorkOfExecutions()); },
};

}  // namespace vizd::tinygrad_2025_09
