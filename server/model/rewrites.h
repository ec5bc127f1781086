// Rewrites: what a compiler did, as its capture tells it: contexts, their passes, the passes' matches, and programs
// made. Plain data, filled by a format and read-only from then on, by any thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/dialect.h"
#include "model/op_graph.h"
#include "model/stacks.h"

namespace vizd {

enum class LocationId : std::uint32_t {};
enum class ProgramId : std::uint32_t {};

// A line of the compiler's source. A rule is known by the location of its pattern.
struct Location {
  StringId file{};
  std::uint32_t line = 0;
  StringId code{kNoId};  // the line itself, where the capture brings it
};

// A time in seconds with all digits of a double, that wants only four's alignment: a match takes 20 bytes, not 24.
// A time that no match can have taken, as a broken file may say, is none.
class Seconds {
 public:
  static constexpr double kMost = 1e6;
  constexpr Seconds(double value)
      : halves_(std::bit_cast<std::array<std::uint32_t, 2>>(value >= 0 && value <= kMost ? value : -1.0)) {}
  constexpr operator double() const { return std::bit_cast<double>(halves_); }

 private:
  std::array<std::uint32_t, 2> halves_;
};

// One application of a rule. A pass's state 0 is its input graph; state k is the graph after its k-th match, from 1.
struct Match {
  OpId before{};
  OpId after{};
  LocationId rule{};
  Seconds dur_s = -1;  // negative where the capture has no times
};

struct Pass {
  StringId name{};
  LocationId location{};
  OpId sink{};
  std::uint32_t first_match = 0;
  std::uint32_t match_count = 0;
  std::uint16_t depth = 0;
  bool unnamed = false;  // the capture gives it no name (not even an empty one); name is "" then
  // Each state restarts from the first sink with all matches so far (tinygrad's bottom_up), else from the last state.
  bool restarts_from_sink = false;
  // A rewrite looks at each op once: neither at what replaces it nor at what it becomes with other sources.
  bool walks_once = false;
  bool enters_calls = false;  // and rewrites the bodies of calls too
  // The pass comes by calls whose bodies a rewrite leaves as they are (Dialect::keeps_first_source), or enters.
  bool meets_calls = false;
  // The capture has whole graphs: match k's before is the root of state k - 1, and its after that of state k.
  bool whole_graphs = false;
};

struct Program {
  StringId name{};  // plain, as the device knows it
  StringId source{};
  StringId binary{};  // the bytes that the device ran: an object file or bare code; "" where the capture has none
  StringId device{};
  ValueId origin{};  // the capture's own object, for its dialect
};

struct Context {
  StringId name{};  // with ANSI colours
  std::uint32_t first_pass = 0;
  std::uint32_t pass_count = 0;
  ProgramId program{kNoId};
  StackId stack{kNoId};  // where in the user's program it was asked for, where the capture tells
};

// Numbers on ops, to colour a graph by: how long each took, how far its result is from another's.
struct OpMeasure {
  StringId name{};
  StringId unit{};
  std::vector<std::pair<OpId, double>> values;  // by op, none twice
};

struct Rewrites {
  std::vector<Context> contexts;
  std::vector<Pass> passes;
  std::vector<Match> matches;
  std::vector<Location> locations;
  std::vector<Program> programs;  // those of contexts, and others
  std::vector<OpMeasure> measures;
  // The ways to a context: an op (a kernel's syntax tree) or a name.
  std::unordered_map<OpId, ContextId> context_by_op;
  std::unordered_map<StringId, ContextId> context_by_name;

  std::span<const Pass> passes_of(const Context& c) const {
    return std::span(passes).subspan(c.first_pass, c.pass_count);
  }
  std::span<const Match> matches_of(const Pass& s) const {
    return std::span(matches).subspan(s.first_match, s.match_count);
  }
};

}  // namespace vizd
