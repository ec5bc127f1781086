// FirstDifference: where what a compiler did for a kernel parts from what it did for it in another capture: the pass,
// and the match in it. Passes are paired in their order, matches in theirs. Pure; the captures are only read.
#pragma once

#include <cstdint>
#include <optional>

#include "model/capture.h"

namespace vizd {

enum class DifferenceKind : std::uint8_t {
  kPass,    // another pass follows, or none
  kInput,   // the pass begins with another graph
  kRule,    // another rule matched
  kResult,  // the same rule matched, and another op or with another result
  kLength   // one side has no further match in the pass
};
// "pass", "input", "rule", "result", "length".
std::string_view difference_name(DifferenceKind kind);

struct FirstDifference {
  DifferenceKind kind = DifferenceKind::kPass;
  std::uint32_t pass = 0;  // place in both contexts; one may have none there
  // The match that differs, from 1, which is the state it leads to; 0 where it is no match. kLength: one side's alone.
  std::uint32_t match = 0;
};

struct RewriteDifference {
  // Whether the two first passes begin with different graphs. Then all graphs differ, and only passes and rules can be
  // compared.
  bool inputs_differ = false;
  std::optional<FirstDifference> first;  // none: nothing else differs
};

// Rules are the same where their lines are, and their files' names without folders. Graphs are the same where all ops
// print the same, whatever their tags. Contexts are places in Rewrites::contexts.
RewriteDifference find_first_difference(const Capture& a, std::uint32_t a_context, const Capture& b,
                                        std::uint32_t b_context);

}  // namespace vizd
