#include "formats/tinygrad/v2026_08/version.h"

#include <algorithm>
#include <array>

#include "formats/tinygrad/v2026_08/dialect.h"
#include "formats/tinygrad/v2026_08/estimates.h"
#include "formats/tinygrad/v2026_08/op_numbering.h"
#include "formats/tinygrad/v2026_08/ops.h"
#include "formats/tinygrad/v2026_08/programs.h"

namespace vizd::tinygrad_2026_08 {
namespace {

// clang-format off
constexpr std::string_view kAxisTypes[] = {
    "DEVICE", "GLOBAL", "WARP", "LOCAL", "WEAK", "GROUP_REDUCE", "REDUCE", "UPCAST", "UNROLL", "THREAD",
    "PLACEHOLDER", "LOOP",
};
constexpr std::string_view kAddrSpaces[] = {
    "GLOBAL", "LOCAL", "REG", "ALU",
};
constexpr std::string_view kOptOps[] = {
    "TC", "UPCAST", "UNROLL", "LOCAL", "THREAD", "GROUP", "GROUPTOP", "NOLOCALS", "PADTO", "SWAP",
};
// clang-format on

constexpr std::size_t kWait = static_cast<std::size_t>(Ops::kWait) - 1;

// The ops of the release, by number.
constexpr auto release_ops() {
  std::array<std::string_view, kOpsCount - 2> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kOpNames[i < kWait ? i : i + 1];
  return names;
}
constexpr auto kReleaseOps = release_ops();

constexpr tinygrad::EnumTable kEnums[] = {
    {"tinygrad.uop.Ops", kOpNames, {}, true},
    {"tinygrad.uop.ops.AxisType", kAxisTypes, {}, true},
    {"tinygrad.dtype.AddrSpace", kAddrSpaces, {}, true},
    {"tinygrad.codegen.opt.OptOps", kOptOps, {}, true},
};
constexpr tinygrad::EnumTable kReleaseEnums[] = {
    {"tinygrad.uop.Ops", kReleaseOps, kOpNames},
    {"tinygrad.uop.ops.AxisType", kAxisTypes},
    {"tinygrad.dtype.AddrSpace", kAddrSpaces},
    {"tinygrad.codegen.opt.OptOps", kOptOps},
};

// Of a tinygrad that numbers its members in a way of its own.
constexpr tinygrad::EnumTable kOtherEnums[] = {
    {"tinygrad.uop.Ops", {}, {}, true},
    {"tinygrad.uop.ops.AxisType", {}, {}, true},
    {"tinygrad.dtype.AddrSpace", {}, {}, true},
    {"tinygrad.codegen.opt.OptOps", {}, {}, true},
};

constexpr std::string_view kDTypeFields[] = {"priority", "bitsize", "name", "fmt", "count", "_scalar"};
constexpr std::string_view kCallInfoFields[] = {"grad_fxn", "name", "precompile", "precompile_backward", "aux"};

using tinygrad::ClassKind;

constexpr tinygrad::ClassRow kClasses[] = {
    {"tinygrad.uop.ops.UOp", ClassKind::kUOp},
    {"tinygrad.dtype.DType", ClassKind::kOther, kDTypeFields},
    {"tinygrad.dtype.ConstFloat", ClassKind::kFloat},
    {"tinygrad.uop.ops.CallInfo", ClassKind::kOther, kCallInfoFields},
};

constexpr std::string_view kKnownClasses[] = {
    "tinygrad.uop.ops.RewriteTrace",
    "tinygrad.uop.ops.TrackedGraphRewrite",
    "tinygrad.uop.ops.ParamArg",
    "tinygrad.uop.ops.KernelInfo",
    "tinygrad.uop.ops.ProgramInfo",
    "tinygrad.schedule.indexing.BufferizeOpts",
    "tinygrad.codegen.opt.Opt",
    "tinygrad.dtype.InvalidType",
    "tinygrad.renderer.",
    "tinygrad.helpers.TracingKey",
    "tinygrad.helpers.Target",
    "tinygrad.helpers.Metadata",
    "tinygrad.helpers.ProfileRangeEvent",
    "tinygrad.helpers.ProfilePointEvent",
    "tinygrad.device.ProfileDeviceEvent",
    "tinygrad.device.ProfileProgramEvent",
    "tinygrad.device.ProfileGraphEvent",
    "tinygrad.device.ProfileGraphEntry",
    "tinygrad.runtime.ops_amd.ProfilePMCEvent",
    "tinygrad.runtime.ops_amd.ProfileSQTTEvent",
    "tinygrad.runtime.ops_amd.PMCSample",
    "tinygrad.runtime.ops_nv.ProfilePMAEvent",
};

constexpr std::string_view kProfileFields[] = {"profile_key"};
constexpr std::string_view kOtherProfileFields[] = {"profile_key", "tdiff"};

bool is_release(const pickle::Tree& tree) {
  const auto number = const_number(tree);
  return number && *number == static_cast<std::int64_t>(Ops::kConst) - 1;
}

bool is_later(const pickle::Tree& tree) {
  const auto number = const_number(tree);
  return number ? *number == static_cast<std::int64_t>(Ops::kConst) : !names_earlier_ops(tree);
}

constexpr tinygrad::ProfileRules kProfile{.clock_field = "tdiff",
                                          .copy_clock_field = "tdiff",
                                          .numbers_launches = true,
                                          .has_profile_keys = true,
                                          .describe_work = describe_work};
// As in the months before events had a profile_key.
constexpr tinygrad::ProfileRules kOtherProfile{.clock_field = "tdiff",
                                               .copy_clock_field = "tdiff",
                                               .numbers_launches = true,
                                               .has_profile_keys = true,
                                               .links_by_name = true,
                                               .describe_work = describe_work};

}  // namespace

constinit const tinygrad::Version kVersion = {
    .month = "2026-08",
    .format = "tinygrad-2026-08",
    .rewrites_top = tinygrad::RewritesTop::kTrace,
    .fits = is_later,
    .profile_fields = kProfileFields,
    .enums = kEnums,
    .classes = kClasses,
    .known_classes = kKnownClasses,
    .make_dialect = make_dialect,
    .complete = add_programs,
    .profile = kProfile,
};

constinit const tinygrad::Version kRelease = {
    .month = "2026-08 (0.14.0)",
    .format = "tinygrad-0.14",
    .rewrites_top = tinygrad::RewritesTop::kTrace,
    .fits = is_release,
    .profile_fields = kProfileFields,
    .enums = kReleaseEnums,
    .classes = kClasses,
    .known_classes = kKnownClasses,
    .make_dialect = make_dialect,
    .complete = add_programs,
    .profile = kProfile,
};

constinit const tinygrad::Version kOther = {
    .month = "2026",
    .format = "tinygrad-2026",
    .rewrites_top = tinygrad::RewritesTop::kTrace,
    .profile_fields = kOtherProfileFields,
    .enums = kOtherEnums,
    .classes = kClasses,
    .known_classes = kKnownClasses,
    .make_dialect = make_dialect,
    .complete = add_programs,
    .note = "its ops are numbered as in no tinygrad that vizd knows: they go by their numbers",
    .profile = kOtherProfile,
};

}  // namespace vizd::tinygrad_2026_08
