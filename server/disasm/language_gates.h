// The gate of each language (source_gate.h), each a reader of its own of the tokens that the compiler will see. What is
// not on a gate's list is refused: two readers may take it for different things. Pure; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "base/result.h"

namespace vizd {

Result<void> check_c(std::string_view source);
Result<void> check_llvm_ir(std::string_view source);

inline constexpr std::string_view kDigits = "0123456789";
inline constexpr std::string_view kWordCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

// The length of the run at the text's beginning that has these characters only.
inline std::size_t run_length(std::string_view text, std::string_view characters) {
  return std::min(text.find_first_not_of(characters), text.size());
}

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Where the text holds a control character other than a tab, a line feed and a carriage return before one, on which
// compilers disagree whether it ends a line, a comment or the source; or npos.
std::size_t find_control(std::string_view text);

// The error of a gate; at: the place in the text, which has `joined` lines fewer before it than the source had.
Error refuse_source(std::string_view what, std::string_view text, std::size_t at, std::size_t joined = 0);

}  // namespace vizd
