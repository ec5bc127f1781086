// The releases of 2026 before 0.14.0. Their ops are numbered in ways of their own; those whose names 2026-08 has too
// are taken for the same, the others go by their names.
#include "formats/tinygrad/v2026_08/dialect.h"
#include "formats/tinygrad/v2026_08/op_numbering.h"
#include "formats/tinygrad/v2026_08/ops.h"
#include "formats/tinygrad/v2026_08/programs.h"
#include "formats/tinygrad/v2026_08/version.h"

namespace vizd::tinygrad_2026_08 {
namespace {

// clang-format off
constexpr std::string_view kOps12[] = {
    "DEFINE_GLOBAL", "DEFINE_VAR", "BIND", "SPECIAL", "DEFINE_LOCAL", "DEFINE_REG", "NOOP", "REWRITE_ERROR",
    "PROGRAM", "LINEAR", "SOURCE", "BINARY", "SINK", "AFTER", "GROUP", "GEP", "VECTORIZE", "INDEX", "LOAD", "STORE",
    "WMMA", "CAST", "BITCAST", "EXP2", "LOG2", "SIN", "SQRT", "RECIPROCAL", "NEG", "TRUNC", "ADD", "MUL", "SHL",
    "SHR", "IDIV", "MAX", "MOD", "CMPLT", "CMPNE", "CMPEQ", "XOR", "OR", "AND", "THREEFRY", "SUB", "FDIV", "POW",
    "WHERE", "MULACC", "BARRIER", "RANGE", "IF", "END", "ENDIF", "VCONST", "CONST", "CUSTOM", "CUSTOMI", "UNIQUE",
    "DEVICE", "KERNEL", "ASSIGN", "CUSTOM_KERNEL", "LUNIQUE", "CONTIGUOUS", "CONTIGUOUS_BACKWARD", "DETACH",
    "BUFFERIZE", "COPY", "BUFFER", "BUFFER_VIEW", "MSELECT", "MSTACK", "ENCDEC", "RESHAPE", "PERMUTE", "EXPAND",
    "PAD", "SHRINK", "FLIP", "MULTI", "REDUCE_AXIS", "REDUCE", "ALLREDUCE", "UNROLL", "CONTRACT", "CAT", "PTRCAT",
};
constexpr std::string_view kOps13[] = {
    "DEFINE_VAR", "BIND", "SPECIAL", "DEFINE_LOCAL", "DEFINE_REG", "NOOP", "REWRITE_ERROR", "PARAM", "FUNCTION",
    "CALL", "PROGRAM", "LINEAR", "SOURCE", "BINARY", "SINK", "AFTER", "GROUP", "GEP", "STACK", "TUPLE", "GETTUPLE",
    "GETADDR", "INDEX", "LOAD", "STORE", "WMMA", "SHAPED_WMMA", "CAST", "BITCAST", "EXP2", "LOG2", "SIN", "SQRT",
    "RECIPROCAL", "NEG", "TRUNC", "ADD", "MUL", "SHL", "SHR", "CDIV", "MAX", "CMOD", "CMPLT", "CMPNE", "CMPEQ", "XOR",
    "OR", "AND", "THREEFRY", "SUB", "FDIV", "POW", "FLOORDIV", "FLOORMOD", "WHERE", "MULACC", "BARRIER", "RANGE",
    "IF", "END", "ENDIF", "WAIT", "CONST", "CUSTOM", "CUSTOMI", "INS", "UNIQUE", "DEVICE", "LUNIQUE", "CONTIGUOUS",
    "CONTIGUOUS_BACKWARD", "DETACH", "STAGE", "COPY", "BUFFER", "BUFFER_VIEW", "MSELECT", "MSTACK", "CUSTOM_FUNCTION",
    "RESHAPE", "PERMUTE", "EXPAND", "PAD", "SHRINK", "FLIP", "MULTI", "REDUCE", "ALLREDUCE", "UNROLL", "CONTRACT",
    "VCAT", "PTRCAT",
};
constexpr std::string_view kAxisTypes12[] = {
    "GLOBAL", "WARP", "LOCAL", "LOOP", "GROUP_REDUCE", "REDUCE", "UPCAST", "UNROLL", "THREAD", "OUTER", "PLACEHOLDER",
};
constexpr std::string_view kAxisTypes13[] = {
    "GLOBAL", "WARP", "LOCAL", "LOOP", "GROUP_REDUCE", "REDUCE", "UPCAST", "UNROLL", "THREAD", "PLACEHOLDER",
};
constexpr std::string_view kEarlierAddrSpaces[] = {
    "GLOBAL", "LOCAL", "REG",
};
constexpr std::string_view kEarlierOptOps[] = {
    "TC", "UPCAST", "UNROLL", "LOCAL", "THREAD", "GROUP", "GROUPTOP", "NOLOCALS", "PADTO", "SWAP",
};
// clang-format on

constexpr tinygrad::EnumTable kEnums12[] = {
    {"tinygrad.uop.Ops", kOps12, kOpNames, true},
    {"tinygrad.uop.ops.AxisType", kAxisTypes12},
    {"tinygrad.dtype.AddrSpace", kEarlierAddrSpaces},
    {"tinygrad.codegen.opt.OptOps", kEarlierOptOps},
};
constexpr tinygrad::EnumTable kEnums13[] = {
    {"tinygrad.uop.Ops", kOps13, kOpNames, true},
    {"tinygrad.uop.ops.AxisType", kAxisTypes13},
    {"tinygrad.dtype.AddrSpace", kEarlierAddrSpaces},
    {"tinygrad.codegen.opt.OptOps", kEarlierOptOps},
};

constexpr std::string_view kEarlierDTypeFields[] = {"priority", "bitsize",   "name", "fmt",  "count", "_scalar",
                                                    "_base",    "addrspace", "v",    "size", "shape"};
constexpr std::string_view kEarlierCallInfoFields[] = {"grad_fxn", "metadata", "name", "precompile",
                                                       "precompile_backward"};

using tinygrad::ClassKind;

constexpr tinygrad::ClassRow kEarlierClasses[] = {
    {"tinygrad.uop.ops.UOp", ClassKind::kUOp},
    {"tinygrad.uop.ops.Kernel", ClassKind::kKernel},
    {"tinygrad.dtype.DType", ClassKind::kOther, kEarlierDTypeFields},
    {"tinygrad.dtype.PtrDType", ClassKind::kOther, kEarlierDTypeFields},
    {"tinygrad.dtype.ImageDType", ClassKind::kOther, kEarlierDTypeFields},
    {"tinygrad.dtype.ConstFloat", ClassKind::kFloat},
    {"tinygrad.uop.ops.CallInfo", ClassKind::kOther, kEarlierCallInfoFields},
};

bool is_in(std::span<const std::string_view> table, std::string_view name) {
  return std::ranges::find(table, name) != table.end();
}

// Whether the ops of a pickle that names them are all of the table, and not all of 2026-08.
bool is_named_by(std::span<const std::string_view> table, const std::vector<std::string_view>& names) {
  return std::ranges::all_of(names, [&](std::string_view name) { return is_in(table, name); }) &&
         !std::ranges::all_of(names, [](std::string_view name) { return is_in(kOpNames, name); });
}

bool is_of(const pickle::Tree& tree, const tinygrad::EnumTable& ops) {
  if (const auto number = const_number(tree)) return ops.name(*number) == "CONST";
  return is_named_by(ops.names, op_names_in(tree));
}

}  // namespace

bool names_earlier_ops(const pickle::Tree& tree) {
  const std::vector<std::string_view> names = op_names_in(tree);
  return is_named_by(kOps12, names) || is_named_by(kOps13, names);
}

constinit const tinygrad::Version kRelease12 = {
    .month = "2026-01 (0.12.0)",
    .format = "tinygrad-0.12",
    .rewrites_top = tinygrad::RewritesTop::kTrace,
    .fits = [](const pickle::Tree& tree) { return is_of(tree, kEnums12[0]); },
    .enums = kEnums12,
    .classes = kEarlierClasses,
    .make_dialect = make_earlier_dialect,
    .note =
        "written by tinygrad 0.12.0: ops are shown without their shapes and loops, and the text of a graph is its "
        "plain form",
};

constinit const tinygrad::Version kRelease13 = {
    .month = "2026-05 (0.13.0)",
    .format = "tinygrad-0.13",
    .rewrites_top = tinygrad::RewritesTop::kTrace,
    .fits = [](const pickle::Tree& tree) { return is_of(tree, kEnums13[0]); },
    .enums = kEnums13,
    .classes = kEarlierClasses,
    .make_dialect = make_earlier_dialect,
    .complete = add_programs,
    .note =
        "written by tinygrad 0.13.0: ops are shown without their shapes and loops, and the text of a graph is its "
        "plain form",
};

}  // namespace vizd::tinygrad_2026_08
