#include "formats/tinygrad/v2025_09/ops.h"

#include <array>

namespace vizd::tinygrad_2025_09 {
namespace {

struct Entry {
  std::string_view name, colour;
};

constexpr std::array<Entry, kOpsCount> kOps = {{
    {"UNKNOWN", "#ffffff"},     {"NOOP", "#ffffff"},          {"SINK", "#ffffff"},
    {"UNIQUE", "#ffffff"},      {"DEVICE", "#ffffff"},        {"KERNEL", "#3e7f55"},
    {"PRECAST", "#ffffff"},     {"REWRITE_ERROR", "#ff2e2e"}, {"CHILD", "#80fff0"},
    {"CHILDREN", "#80ffc0"},    {"COPY", "#a040a0"},          {"BUFFER", "#B0BDFF"},
    {"BUFFER_VIEW", "#E5EAFF"}, {"MSELECT", "#d040a0"},       {"MSTACK", "#d040a0"},
    {"BUFFERIZE", "#FF991C"},   {"CONTIGUOUS", "#FFC14D"},    {"CONTIGUOUS_BACKWARD", "#ffffff"},
    {"DETACH", "#ffffff"},      {"FUSE", "#FFa500"},          {"REALIZE", "#C1C14D"},
    {"BLOCK", "#C4A484"},       {"BLOCKSTART", "#ffffff"},    {"BLOCKEND", "#C4A4A4"},
    {"BLOCKFINAL", "#ffffff"},  {"RESHAPE", "#D8F9E4"},       {"PERMUTE", "#D8F9E4"},
    {"EXPAND", "#D8F9E4"},      {"PAD", "#D8F9E4"},           {"SHRINK", "#D8F9E4"},
    {"FLIP", "#D8F9E4"},        {"MULTI", "#f6ccff"},         {"VIEW", "#C8F9D4"},
    {"VALID", "#ffffff"},       {"DEFINE_GLOBAL", "#ffe0b0"}, {"DEFINE_LOCAL", "#ffe0d0"},
    {"DEFINE_REG", "#f0ffe0"},  {"DEFINE_VAR", "#ffffff"},    {"BIND", "#ffffff"},
    {"SPECIAL", "#c0c0ff"},     {"REDUCE_AXIS", "#FF6B6B"},   {"REDUCE", "#FF5B5B"},
    {"ALLREDUCE", "#ff40a0"},   {"UNROLL", "#ffffff"},        {"CONTRACT", "#ffffff"},
    {"GEP", "#ffffff"},         {"VECTORIZE", "#ffffff"},     {"CAT", "#ffffff"},
    {"PTRCAT", "#ffffff"},      {"CAST", "#ffffff"},          {"BITCAST", "#ffffff"},
    {"EXP2", "#ffffc0"},        {"LOG2", "#ffffc0"},          {"SIN", "#ffffc0"},
    {"SQRT", "#ffffc0"},        {"RECIP", "#ffffc0"},         {"NEG", "#ffffc0"},
    {"TRUNC", "#ffffc0"},       {"LOAD", "#ffc0c0"},          {"STORE", "#87CEEB"},
    {"ASSIGN", "#909090"},      {"WMMA", "#efefc0"},          {"INDEX", "#e8ffa0"},
    {"ADD", "#ffffc0"},         {"MUL", "#ffffc0"},           {"SHL", "#ffffc0"},
    {"SHR", "#ffffc0"},         {"IDIV", "#ffffc0"},          {"MAX", "#ffffc0"},
    {"MOD", "#ffffc0"},         {"CMPLT", "#ffffc0"},         {"CMPNE", "#ffffc0"},
    {"CMPEQ", "#ffffc0"},       {"XOR", "#ffffc0"},           {"OR", "#ffffc0"},
    {"AND", "#ffffc0"},         {"THREEFRY", "#ffff80"},      {"SUB", "#ffffc0"},
    {"FDIV", "#ffffc0"},        {"POW", "#ffffc0"},           {"WHERE", "#ffffc0"},
    {"MULACC", "#ffffc0"},      {"BARRIER", "#ff8080"},       {"RANGE", "#c8a0e0"},
    {"IF", "#c8b0c0"},          {"ENDRANGE", "#ffffff"},      {"ENDIF", "#ffffff"},
    {"VCONST", "#e0e0e0"},      {"CONST", "#e0e0e0"},         {"CUSTOM", "#ffffff"},
    {"CUSTOMI", "#ffffff"},
}};

const Entry& entry(Ops op) {
  const auto number = static_cast<std::uint16_t>(op);
  return kOps[number < kOpsCount ? number : 0];
}

constexpr std::array<std::string_view, kOpsCount - 1> names() {
  std::array<std::string_view, kOpsCount - 1> result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = kOps[i + 1].name;
  return result;
}

}  // namespace

constinit const std::array<std::string_view, kOpsCount - 1> kOpNames = names();

std::string_view op_name(Ops op) { return entry(op).name; }

std::string_view op_colour(Ops op) { return entry(op).colour; }

std::optional<Ops> op_by_name(std::string_view name) {
  for (std::uint16_t number = 1; number < kOpsCount; ++number) {
    if (kOps[number].name == name) return static_cast<Ops>(number);
  }
  return std::nullopt;
}

}  // namespace vizd::tinygrad_2025_09
