// The ops of tinygrad at a9069c177a (2026-08, released as 0.14.0): their names and the colours of tinygrad's own
// viewer. Their numbers, which are also the kinds of a capture's ops, are those of tinygrad::Ops: captures written by
// Python 3.11.7 and later hold the number. Pure functions, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "formats/tinygrad/symbolic/ops.h"

namespace vizd::tinygrad_2026_08 {

// Expressions, their ops and dtypes are those of all versions.
using namespace tinygrad;

inline constexpr std::uint16_t kOpsCount = 81;  // one past the last

// By number, from 1.
// clang-format off
inline constexpr std::array<std::string_view, kOpsCount - 1> kOpNames = {
    "SPECIAL", "BUFFER", "NOOP", "REWRITE_ERROR", "PARAM", "FUNCTION", "CALL", "PROGRAM", "LINEAR", "SOURCE",
    "BINARY", "SINK", "AFTER", "GROUP", "STACK", "TUPLE", "GETTUPLE", "GETADDR", "INDEX", "SHRINK", "LOAD", "STORE",
    "WMMA", "CAST", "BITCAST", "EXP2", "LOG2", "SIN", "SQRT", "RECIPROCAL", "NEG", "TRUNC", "ADD", "MUL", "SHL",
    "SHR", "CDIV", "MAX", "CMOD", "CMPLT", "CMPNE", "CMPEQ", "XOR", "OR", "AND", "THREEFRY", "SUB", "FDIV", "POW",
    "FLOORDIV", "FLOORMOD", "WHERE", "MULACC", "BARRIER", "RANGE", "IF", "END", "ENDIF", "WAIT", "CONST", "CUSTOM",
    "CUSTOMI", "INS", "CONTIGUOUS", "CONTIGUOUS_BACKWARD", "DETACH", "STAGE", "COPY", "MSELECT", "MSTACK",
    "CUSTOM_FUNCTION", "RESHAPE", "PERMUTE", "EXPAND", "PAD", "FLIP", "UNSHARD", "REDUCE", "ALLREDUCE", "PYLITERAL",
};
// clang-format on

// "ADD"; "UNKNOWN" where no op has this number.
std::string_view op_name(Ops op);
// "#rrggbb" (tinygrad's viz/serve.py uops_colors).
std::string_view op_colour(Ops op);

}  // namespace vizd::tinygrad_2026_08
