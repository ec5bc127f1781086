#include "formats/tinygrad/v2026_08/version.h"

#include <algorithm>
#include <array>

#include "formats/tinygrad/v2026_08/dialect.h"
#include "formats/tinygrad/v2026_08/estimates.h"
#include "formats/tinygrad/v2026_08/op_numbering.h"
#include "formats/tinygrad/v2026_08/ops.h"
#include "formats/tinygrad/v2026_08/programs.h"
#include "formats/tinygrad/v2026_08/told_ops.h"
#include "formats/tinygrad/v2026_08/value_text.h"

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
// tinygrad.renderer.isa.x86, of the renderer that DEV=CPU:X86 chooses.
constexpr std::string_view kX86Ops[] = {
    "FRAME_INDEX", "LABEL", "DEFINE", "LOOP_CMP", "LEA", "MOV", "MOVm", "MOVi", "MOVABS", "VMOVSS", "VMOVSD",
    "VMOVUPS", "VMOVSSm", "VMOVSDm", "VMOVUPSm", "MOVZX", "MOVSX", "MOVSXD", "VPMOVZXBW", "VPMOVZXBD", "VPMOVZXBQ",
    "VPMOVZXWD", "VPMOVZXWQ", "VPMOVZXDQ", "VPMOVSXBW", "VPMOVSXBD", "VPMOVSXBQ", "VPMOVSXWD", "VPMOVSXWQ",
    "VPMOVSXDQ", "VCVTDQ2PS", "VCVTDQ2PD", "VCVTTPS2DQ", "VCVTTPD2DQ", "VCVTPH2PS", "VCVTPS2PH", "VCVTPS2PD",
    "VCVTPD2PS", "VCVTSS2SD", "VCVTSD2SS", "VCVTSI2SS", "VCVTSI2SD", "VCVTTSS2SI", "VCVTTSD2SI", "VMOVD", "VMOVQ",
    "VMOVDm", "VMOVQm", "VUCOMISS", "VUCOMISD", "VCMPSS", "VCMPSD", "VCMPPS", "VCMPPD", "VPCMPGTB", "VPCMPGTW",
    "VPCMPGTD", "VPCMPGTQ", "VPCMPEQB", "VPCMPEQW", "VPCMPEQD", "VPCMPEQQ", "SETNE", "SETE", "SETL", "SETB", "CMOVNE",
    "CMOVE", "CMOVL", "CMOVB", "VPBLENDVB", "VBLENDVPS", "VBLENDVPD", "JNE", "JE", "JL", "JB", "JGE", "JMP",
    "VINSERTPS", "VPSRLDQ", "VPEXTRB", "VPEXTRW", "VPEXTRD", "VPEXTRQ", "VPINSRB", "VPINSRW", "VPINSRD", "VPINSRQ",
    "IDIV", "DIV", "ADD", "ADDi", "SUB", "SUBi", "IMUL", "IMULi", "AND", "ANDi", "XOR", "XORi", "OR", "ORi", "SHL",
    "SHLi", "SHR", "SHRi", "SAR", "SARi", "CMP", "CMPi", "VROUNDSS", "VROUNDSD", "VROUNDPS", "VROUNDPD", "VSQRTSS",
    "VSQRTSD", "VSQRTPS", "VSQRTPD", "VADDSS", "VADDSD", "VADDPS", "VADDPD", "VSUBSS", "VSUBSD", "VSUBPS", "VSUBPD",
    "VMULSS", "VMULSD", "VMULPS", "VMULPD", "VDIVSS", "VDIVSD", "VDIVPS", "VDIVPD", "VPADDB", "VPADDW", "VPADDD",
    "VPADDQ", "VPSUBB", "VPSUBW", "VPSUBD", "VPSUBQ", "VPMULLW", "VPMULLD", "VPAND", "VPOR", "VPXOR", "VPSLLVD",
    "VPSLLVQ", "VPSRLVD", "VPSRLVQ", "VPSRAVD", "RET",
};
// clang-format on

// FastEnum numbers the members of one enumeration behind those of the one before, which is Ops.
constexpr tinygrad::EnumTable x86_ops(std::size_t ops) {
  return {"tinygrad.renderer.isa.x86.X86Ops", kX86Ops, {}, true, static_cast<std::int64_t>(ops) + 1};
}

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
    x86_ops(std::size(kOpNames)),
};
constexpr tinygrad::EnumTable kReleaseEnums[] = {
    {"tinygrad.uop.Ops", kReleaseOps, kOpNames, true},
    {"tinygrad.uop.ops.AxisType", kAxisTypes, {}, true},
    {"tinygrad.dtype.AddrSpace", kAddrSpaces, {}, true},
    {"tinygrad.codegen.opt.OptOps", kOptOps, {}, true},
    x86_ops(kReleaseOps.size()),
};

// For a tinygrad that numbers its ops in a way of its own: names are found capture by capture.
constexpr tinygrad::EnumTable kOtherEnums[] = {
    {"tinygrad.uop.Ops", {}, kOpNames, true},
    {"tinygrad.uop.ops.AxisType", kAxisTypes, {}, true},
    {"tinygrad.dtype.AddrSpace", kAddrSpaces, {}, true},
    {"tinygrad.codegen.opt.OptOps", kOptOps, {}, true},
};

constexpr std::string_view kDTypeFields[] = {"priority", "bitsize", "name", "fmt", "count", "_scalar"};
constexpr std::string_view kCallInfoFields[] = {"grad_fxn", "name", "precompile", "precompile_backward", "aux"};

using tinygrad::ClassKind;

constexpr tinygrad::ClassRow kClasses[] = {
    {"tinygrad.uop.ops.UOp", ClassKind::kUOp},        {"tinygrad.dtype.DType", ClassKind::kOther, kDTypeFields},
    {"tinygrad.dtype.ConstFloat", ClassKind::kFloat}, {"tinygrad.uop.ops.CallInfo", ClassKind::kOther, kCallInfoFields},
    {kInstructionModules, ClassKind::kInstruction},
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
    .tell_ops = told_ops,
    .make_dialect = make_dialect,
    .complete = add_programs,
    .note =
        "its ops are numbered as in no tinygrad that vizd knows: labels are those of 0.14.0 if arguments, sources and "
        "types determine the op; the other ops are shown by number",
    .profile = kOtherProfile,
};

}  // namespace vizd::tinygrad_2026_08
