// Which op of a line each moment belongs to, where ops lie within one another. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/xla_profile.h"

namespace vizd {

// A part of the time of an op, in which it is the innermost.
struct XlaPiece {
  XlaSpan span;
  std::uint32_t op = 0;  // place among the line's ops
};

// Every moment belongs to the last op that covers it, in order of start, then the longer first, then as given: so the
// pieces of all ops add up to what the line was busy. Ops without time have no piece.
std::vector<XlaPiece> innermost_pieces(std::span<const XlaSpan> ops);

}  // namespace vizd
