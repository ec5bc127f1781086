// Regexp: a regular expression: POSIX's extended ones with \d, \w, \s and \b, and a ? behind what
// repeats, which changes nothing of whether there is a match. Matched without going back, in steps that a budget
// counts: time grows with the text and the expression alone. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/result.h"

namespace vizd {

class Regexp {
 public:
  static Result<Regexp> compile(std::string_view expression);

  // Whether some part of the text matches; none where the budget was over before it was known.
  std::optional<bool> is_in(std::string_view text, const Budget& budget) const;

 private:
  friend class RegexpReader;

  enum class Kind : std::uint8_t { kOneOf, kNoneOf, kFork, kJump, kBegin, kEnd, kWordEdge, kMatch };
  struct Step {
    Kind kind;
    std::uint32_t to = 0, or_to = 0;  // of a fork; to: of a jump
    std::vector<std::pair<char32_t, char32_t>> ranges = {};
  };
  // The places that a matching is at.
  struct Places {
    std::vector<std::uint32_t> list;
    std::vector<std::uint32_t> seen;  // by step: the turn in which it was added
  };

  static bool takes(const Step& step, char32_t code);
  // Whether the match is among what was added.
  bool add(std::uint32_t step, std::uint32_t turn, bool is_begin, bool is_end, bool is_edge, Places& places) const;

  std::vector<Step> steps_;
};

}  // namespace vizd
