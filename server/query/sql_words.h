// Words of SQL: a query cut into its names, texts, numbers and signs, each where it stands; and into its statements.
// Pure functions. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vizd::sql {

struct Word {
  enum class Kind : std::uint8_t { kName, kQuotedName, kText, kNumber, kParameter, kSign };
  Kind kind;
  std::string_view text;  // as it stands in the query, with its quotes

  bool is(std::string_view word) const;  // a name that is not quoted, or a sign; in any case of letters
  // A name without quotes, as SQLite knows it.
  std::string name() const;
  bool is_name() const { return kind == Kind::kName || kind == Kind::kQuotedName; }
};
using Words = std::span<const Word>;

// Without blanks and comments. The words refer to the query.
std::vector<Word> words_of(std::string_view query);

// The words between the signs ; that stand in no brackets, without these and without empty ones.
std::vector<Words> statements_of(Words words);

// The parts between the commas that stand in no brackets of their own.
std::vector<Words> listed(Words words);

// The place of the bracket that closes the one at the place; the number of words where none does.
std::size_t closing(Words words, std::size_t open);

// The query's text from the first word to the last, with all that stands between them; "" of none.
std::string_view text_of(Words words);

// A name in quotes.
std::string quoted_name(std::string_view name);

}  // namespace vizd::sql
