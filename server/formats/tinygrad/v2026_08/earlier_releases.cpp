// The releases of 2026 before 0.14.0. Their ops are numbered in ways of their own; those whose names 2026-08 has too
// are taken for the same, the others go by their names.
#include <algorithm>
#include <array>
#include <iterator>

#include "formats/tinygrad/reading/profile_reader.h"
#include "formats/tinygrad/symbolic/expr_graph.h"
#include "formats/tinygrad/v2025_09/symbolic/language.h"
#include "formats/tinygrad/v2026_08/dialect.h"
#include "formats/tinygrad/v2026_08/earlier_estimates.h"
#include "formats/tinygrad/v2026_08/estimates.h"
#include "formats/tinygrad/v2026_08/op_numbering.h"
#include "formats/tinygrad/v2026_08/ops.h"
#include "formats/tinygrad/v2026_08/programs.h"
#include "formats/tinygrad/v2026_08/release.h"
#include "formats/tinygrad/v2026_08/symbolic/earlier_rules.h"
#include "formats/tinygrad/v2026_08/symbolic/language.h"
#include "formats/tinygrad/v2026_08/value_text.h"
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
// By vizd's numbers, from 1: those of 2026-08, then what only earlier releases have.
constexpr std::string_view kEarlierOnly[] = {
    "DEFINE_VAR", "BIND", "", "DEFINE_GLOBAL", "DEFINE_LOCAL", "DEFINE_REG", "GEP", "VECTORIZE", "IDIV", "MOD",
    "VCONST", "UNIQUE", "LUNIQUE", "DEVICE", "KERNEL", "ASSIGN", "CUSTOM_KERNEL", "BUFFERIZE", "BUFFER_VIEW", "ENCDEC",
    "MULTI", "REDUCE_AXIS", "UNROLL", "CONTRACT", "CAT", "PTRCAT", "SHAPED_WMMA", "VCAT",
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

constexpr auto kEarlierNames = [] {
  std::array<std::string_view, std::size(kOpNames) + std::size(kEarlierOnly)> names{};
  std::ranges::copy(kEarlierOnly, std::ranges::copy(kOpNames, names.begin()).out);
  return names;
}();
static_assert(kEarlierNames[static_cast<std::size_t>(Ops::kDefineVar) - 1] == "DEFINE_VAR");
static_assert(kEarlierNames[static_cast<std::size_t>(Ops::kVcat) - 1] == "VCAT");

bool is_in(std::span<const std::string_view> table, std::string_view name) {
  return std::ranges::find(table, name) != table.end();
}

// The release's number of an op, by which operands are put in order; those that it has not come last.
std::uint16_t place_in(std::span<const std::string_view> table, Ops op, Release release) {
  return static_cast<std::uint16_t>(std::ranges::find(table, earlier_op_name(own_op(op, release))) - table.begin() + 1);
}

constexpr tinygrad::EnumTable kEnums12[] = {
    {"tinygrad.uop.Ops", kOps12, kEarlierNames, true},
    {"tinygrad.uop.ops.AxisType", kAxisTypes12, {}, true},
    {"tinygrad.dtype.AddrSpace", kEarlierAddrSpaces, {}, true},
    {"tinygrad.codegen.opt.OptOps", kEarlierOptOps, {}, true},
};
constexpr tinygrad::EnumTable kEnums13[] = {
    {"tinygrad.uop.Ops", kOps13, kEarlierNames, true},
    {"tinygrad.uop.ops.AxisType", kAxisTypes13, {}, true},
    {"tinygrad.dtype.AddrSpace", kEarlierAddrSpaces, {}, true},
    {"tinygrad.codegen.opt.OptOps", kEarlierOptOps, {}, true},
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
    {kInstructionModules, ClassKind::kInstruction},
};

// Whether the ops of a pickle that names them are all of the table, and not all of 2026-08.
bool is_named_by(std::span<const std::string_view> table, const std::vector<std::string_view>& names) {
  return std::ranges::all_of(names, [&](std::string_view name) { return is_in(table, name); }) &&
         !std::ranges::all_of(names, [](std::string_view name) { return is_in(kOpNames, name); });
}

bool is_of(const pickle::Tree& tree, const tinygrad::EnumTable& ops) {
  if (const auto number = const_number(tree)) return ops.name(*number) == "CONST";
  return is_named_by(ops.names, op_names_in(tree));
}

// What only these releases bound as they do: of a CAST by what it casts, where that keeps the order; of the items of a
// vector by the vector.
std::optional<tinygrad::Bounds> earlier_bounds(tinygrad::ExprGraph& graph, ExprId id) {
  const Ops op = graph.op(id);
  const Scalar scalar = graph.scalar(id);
  const tinygrad::Bounds all{tinygrad::least(scalar), tinygrad::greatest(scalar)};
  if (op == Ops::kIndex || op == Ops::kAfter) return all;
  if (op == Ops::kGep && !graph.src(id).empty()) return graph.bounds(graph.src(id, 0));
  if (op != Ops::kCast) return std::nullopt;
  if (graph.src(id).empty() || is_unsigned(scalar) || scalar == Scalar::kBool) return all;
  const tinygrad::Bounds inner = graph.bounds(graph.src(id, 0));
  return tinygrad::Bounds{greater(all.least, inner.least), lesser(inner.greatest, all.greatest)};
}

// A PARAM of 0.13.0 has its least and its greatest as sources.
std::optional<tinygrad::Bounds> own_bounds_of_13(tinygrad::ExprGraph& graph, tinygrad::ExprId id) {
  if (graph.op(id) != Ops::kParam || graph.src(id).size() < 4) return earlier_bounds(graph, id);
  return tinygrad::Bounds{graph.least(graph.src(id, 2)), graph.greatest(graph.src(id, 3))};
}

// Operands have the dtypes they have, a number that of what stands beside it: as in 2025-09.
tinygrad::Language earlier_language() {
  tinygrad::Language language = tinygrad_2025_09::kLanguage;
  language.max_depth = kLanguage.max_depth;
  language.own_bounds = earlier_bounds;
  language.has_bool_invalid = false;
  return language;
}

}  // namespace

const tinygrad::Language& language_of(Release release) {
  static const tinygrad::Language k12 = [] {
    tinygrad::Language language = earlier_language();
    language.rules = rules_of_12;
    language.number = [](Ops op) { return place_in(kOps12, op, Release::k12); };
    language.constants_number = place_in(kOps12, Ops::kVconst, Release::k12);
    return language;
  }();
  static const tinygrad::Language k13 = [] {
    tinygrad::Language language = earlier_language();
    language.index = kLanguage.index;
    language.own_bounds = own_bounds_of_13;
    language.rules = rules_of_13;
    language.number = [](Ops op) { return place_in(kOps13, op, Release::k13); };
    return language;
  }();
  return release == Release::k12 ? k12 : release == Release::k13 ? k13 : kLanguage;
}

Ops own_op(Ops op, Release release) {
  if (release != Release::k12) return op;
  switch (op) {
    case Ops::kCdiv:
      return Ops::kIdiv;
    case Ops::kCmod:
      return Ops::kMod;
    case Ops::kStack:
      return Ops::kVectorize;
    default:
      return op;
  }
}

std::string_view earlier_op_name(Ops op) {
  const auto number = static_cast<std::size_t>(op);
  return number >= 1 && number <= kEarlierNames.size() ? kEarlierNames[number - 1] : "UNKNOWN";
}

bool names_earlier_ops(const pickle::Tree& tree) {
  const std::vector<std::string_view> names = op_names_in(tree);
  return is_named_by(kOps12, names) || is_named_by(kOps13, names);
}

// Launches are numbered and tell their buffers; events are linked by name. In 0.12.0 copies have clocks of their own.
constexpr tinygrad::ProfileRules kProfile12{.numbers_launches = true};
constexpr std::string_view kProfileFields12[] = {"props"};
constexpr std::string_view kClockFields12[] = {"comp_tdiff"};
constexpr tinygrad::ProfileRules kProfile13{.clock_field = "tdiff",
                                            .copy_clock_field = "tdiff",
                                            .numbers_launches = true,
                                            .has_profile_keys = true,
                                            .links_by_name = true,
                                            .describe_work = describe_work};

constinit const tinygrad::Version kRelease12 = {
    .month = "2026-01 (0.12.0)",
    .format = "tinygrad-0.12",
    .rewrites_top = tinygrad::RewritesTop::kTrace,
    .fits =
        [](const pickle::Tree& tree) {
          if (tinygrad::is_profile(tree)) return tinygrad::profile_has_field(tree, kClockFields12);
          return is_of(tree, kEnums12[0]);
        },
    .profile_fields = kProfileFields12,
    .enums = kEnums12,
    .classes = kEarlierClasses,
    .make_dialect = make_dialect_12,
    .measure_executions = [] { return tinygrad::MeasureExecution(WorkOfExecutions12()); },
    .profile = kProfile12,
};

constinit const tinygrad::Version kRelease13 = {
    .month = "2026-05 (0.13.0)",
    .format = "tinygrad-0.13",
    .rewrites_top = tinygrad::RewritesTop::kTrace,
    .fits = [](const pickle::Tree& tree) { return is_of(tree, kEnums13[0]); },
    .enums = kEnums13,
    .classes = kEarlierClasses,
    .make_dialect = make_dialect_13,
    .complete = add_programs,
    .profile = kProfile13,
};

}  // namespace vizd::tinygrad_2026_08
