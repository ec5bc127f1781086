#include "formats/tinygrad/v2026_08/version.h"

namespace vizd::tinygrad_2026_08 {
namespace {

// clang-format off
constexpr std::string_view kOps[] = {
    "SPECIAL", "BUFFER", "NOOP", "REWRITE_ERROR", "PARAM", "FUNCTION", "CALL", "PROGRAM", "LINEAR", "SOURCE",
    "BINARY", "SINK", "AFTER", "GROUP", "STACK", "TUPLE", "GETTUPLE", "GETADDR", "INDEX", "SHRINK", "LOAD", "STORE",
    "WMMA", "CAST", "BITCAST", "EXP2", "LOG2", "SIN", "SQRT", "RECIPROCAL", "NEG", "TRUNC", "ADD", "MUL", "SHL",
    "SHR", "CDIV", "MAX", "CMOD", "CMPLT", "CMPNE", "CMPEQ", "XOR", "OR", "AND", "THREEFRY", "SUB", "FDIV", "POW",
    "FLOORDIV", "FLOORMOD", "WHERE", "MULACC", "BARRIER", "RANGE", "IF", "END", "ENDIF", "WAIT", "CONST", "CUSTOM",
    "CUSTOMI", "INS", "CONTIGUOUS", "CONTIGUOUS_BACKWARD", "DETACH", "STAGE", "COPY", "MSELECT", "MSTACK",
    "CUSTOM_FUNCTION", "RESHAPE", "PERMUTE", "EXPAND", "PAD", "FLIP", "UNSHARD", "REDUCE", "ALLREDUCE", "PYLITERAL",
};
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

constexpr tinygrad::EnumTable kEnums[] = {
    {"tinygrad.uop.Ops", kOps},
    {"tinygrad.uop.ops.AxisType", kAxisTypes},
    {"tinygrad.dtype.AddrSpace", kAddrSpaces},
    {"tinygrad.codegen.opt.OptOps", kOptOps},
};

constexpr std::string_view kDTypeFields[] = {"priority", "bitsize", "name", "fmt"};

using tinygrad::ClassKind;

constexpr tinygrad::ClassRow kClasses[] = {
    {"tinygrad.uop.ops.UOp", ClassKind::kUOp},
    {"tinygrad.dtype.DType", ClassKind::kOther, kDTypeFields},
};

constexpr std::string_view kProfileFields[] = {"profile_key", "tdiff"};

}  // namespace

constinit const tinygrad::Version kVersion = {
    .month = "2026-08",
    .format = "tinygrad-2026-08",
    .rewrites_top = tinygrad::RewritesTop::kTrace,
    .profile_fields = kProfileFields,
    .enums = kEnums,
    .classes = kClasses,
};

}  // namespace vizd::tinygrad_2026_08
