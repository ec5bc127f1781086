// What the scalars of a trace's JSON mean, from their text as it stands in the file: numbers keep every digit that way.
// A token is a whole JSON value without whitespace around it; "" stands for one that is not there. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vizd::chrome_trace {

// A member of an object.
struct Member {
  std::string_view key;    // between its quotes, escapes and all
  std::string_view value;  // a token
};

// Without the whitespace around it.
std::string_view trimmed(std::string_view text);

inline bool is_text(std::string_view token) { return token.size() >= 2 && token.front() == '"'; }
inline bool is_missing(std::string_view token) { return token.empty() || token == "null"; }

// The text that a token means: a string's without its quotes and escapes, or any other as it stands. Of scratch or of
// the token.
std::string_view text_of(std::string_view token, std::string& scratch);

// Whether a text has an escape that JSON does not have (\U, \c): whoever wrote it, as paths of Windows, escaped none of
// its backslashes, and text_of() leaves each as it stands.
bool has_foreign_escape(std::string_view token);

// Puts others in the place of control characters and of bytes that are no ASCII: some writers leave such in texts,
// where JSON has none, or not in UTF-8. Every byte keeps its place. False: there are none.
bool mend(std::string& json);

// For tokens that are mostly words, a phase or a category: the token, or for true and false what Python calls them, as
// other tools count them.
std::string_view word_of(std::string_view token);

// None where it is no whole number, or beyond 64 bits.
std::optional<std::int64_t> integer_of(std::string_view token);
// None where it is no finite number. Takes also what some writers leave out or add: ".75", "+10.5".
std::optional<double> real_of(std::string_view token);

// A number or a text of one as the whole number nearest to it, exactly. None where it is no finite number, or beyond
// 2^62.
std::optional<std::int64_t> whole_number_of(std::string_view token);

// Microseconds, a number or a text of one, as whole nanoseconds, exactly: halves go to the even one. None where it is
// no finite number, or beyond 2^62 nanoseconds.
std::optional<std::int64_t> nanoseconds_of(std::string_view token);

}  // namespace vizd::chrome_trace
