// Writes to stdout and stderr. A reader of stderr that left, or a full disk behind it, never ends the program; an
// answer on stdout that did not arrive is an error. Any thread.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/clean_text.h"

namespace vizd {

// Puts /dev/null where descriptor 0, 1 or 2 is closed: a file or a connection opened later would get that number, and
// with it what is printed. Called first of all.
void keep_standard_streams();

// Writes what can be written. fmt::print throws where that is not all.
void write_leniently(std::FILE* out, std::string_view text);

// A text on one line; anything else as it is.
template <typename T>
decltype(auto) on_one_line(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return one_line(std::string_view(value), false);
  } else {
    return (value);
  }
}

// On stderr, where a terminal obeys nothing of what a capture or a file's name brings in, and where no such text makes
// a line of its own: the lines are those of the format.
template <typename... Args>
void print_error(fmt::format_string<Args...> format, Args&&... args) {
  const auto print = [&format](const auto&... of_line) {
    const fmt::string_view text = format;
    write_leniently(stderr, many_lines(fmt::vformat(text, fmt::make_format_args(of_line...)), false));
  };
  print(on_one_line(args)...);
}

// Whether out is a terminal and NO_COLOR is not set (https://no-color.org).
bool wants_colour(std::FILE* out);

// An answer, of which a terminal obeys nothing that a capture or a file's name brings in but colours of letters, and a
// file or a pipe gets none of these. Throws where it cannot be written. Text of a capture goes to stdout by this way
// alone; scripts/check finds others.
void write_answer(std::string_view text, std::FILE* out = stdout);
template <typename... Args>
void print_answer(fmt::format_string<Args...> format, Args&&... args) {
  write_answer(fmt::format(format, std::forward<Args>(args)...));
}

// Whether all that was printed on stdout is written; else errno says why not.
bool flush_output();

}  // namespace vizd
