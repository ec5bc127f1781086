// Nothing: the three ways in which an answer has nothing to say, which are not the same and are never written as zero.
// Commands, JSON, SQL's answers and the page call them by these words. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vizd {

enum class Nothing : std::uint8_t {
  kNone,         // it was looked for, and there is none
  kNotRecorded,  // the capture cannot know
  kNotAsked,     // it lies outside the filter or the scope, or was not looked for
};
inline constexpr std::string_view kNothingWords[] = {"none", "not recorded", "not asked"};
inline std::string_view nothing_word(Nothing kind) { return kNothingWords[static_cast<std::size_t>(kind)]; }

// Why there is nothing.
struct Absence {
  Nothing kind = Nothing::kNone;
  std::string why;  // what was looked at, what lacks, or what was left out
  std::string how;  // what to record it with, or how to ask for it; "" where there is nothing to do

  // "not recorded: no kernel has its number of thread blocks; record with …". What was not asked for is only its
  // reason: "no device work in this time range; widen it …".
  std::string text() const {
    std::string text(kind == Nothing::kNotAsked && !why.empty() ? "" : nothing_word(kind));
    if (!why.empty()) text.append(text.empty() ? "" : ": ").append(why);
    if (!how.empty()) text.append("; ").append(how);
    return text;
  }
};

}  // namespace vizd
