#include "query/text_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/regexp.h"
#include "query/formatted_text.h"
#include "query/pattern.h"

namespace vizd::sql {
namespace {

using Values = sqlite3_value**;

bool is_null(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }

std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr ? "" : std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

std::string_view bytes_of(sqlite3_value* value) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
  return bytes == nullptr ? "" : std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

void give(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

std::size_t most_bytes(sqlite3_context* context) {
  return static_cast<std::size_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
}

// Looks for a text in time that grows with the texts alone, as glibc promises of memmem.
std::size_t place_of(std::string_view text, std::string_view part, std::size_t from) {
  if (part.empty()) return from;
  const void* found = ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// In the order of their bytes.
std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> characters;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    take_char(text, at);
    characters.push_back(text.substr(begin, at - begin));
  }
  std::ranges::sort(characters);
  const auto twice = std::ranges::unique(characters);
  characters.erase(twice.begin(), twice.end());
  return characters;
}

template <bool kLeft, bool kRight>
void trim(sqlite3_context* context, int count, Values values) {
  if (is_null(values[0]) || (count == 2 && is_null(values[1]))) return;
  std::string_view text = text_of(values[0]);
  const auto characters = characters_of(count == 2 ? text_of(values[1]) : " ");
  const auto is_trimmed = [&](std::string_view one) { return std::ranges::binary_search(characters, one); };
  while (kLeft && !text.empty()) {
    std::size_t end = 0;
    take_char(text, end);
    if (!is_trimmed(text.substr(0, end))) break;
    text.remove_prefix(end);
  }
  while (kRight && !text.empty()) {
    std::size_t begin = text.size() - 1;
    while (begin > 0 && is_continuation(text[begin])) --begin;
    if (!is_trimmed(text.substr(begin))) break;
    text.remove_suffix(text.size() - begin);
  }
  give(context, text);
}

void replace(sqlite3_context* context, int, Values values) {
  if (is_null(values[0]) || is_null(values[1]) || is_null(values[2])) return;
  const std::string_view text = text_of(values[0]), part = text_of(values[1]);
  if (part.empty()) return sqlite3_result_value(context, values[0]);
  const std::string_view by = text_of(values[2]);
  const std::size_t most = most_bytes(context);
  std::string made;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = place_of(text, part, done)) != std::string_view::npos; done = at + part.size()) {
    if (made.size() + (at - done) + by.size() > most) return sqlite3_result_error_toobig(context);
    made.append(text.substr(done, at - done)).append(by);
  }
  give(context, made.append(text.substr(done)));
}

void instr(sqlite3_context* context, int, Values values) {
  if (is_null(values[0]) || is_null(values[1])) return;
  const bool is_bytes = sqlite3_value_type(values[0]) == SQLITE_BLOB && sqlite3_value_type(values[1]) == SQLITE_BLOB;
  const std::string_view text = is_bytes ? bytes_of(values[0]) : text_of(values[0]);
  const std::size_t at = place_of(text, is_bytes ? bytes_of(values[1]) : text_of(values[1]), 0);
  if (at == std::string_view::npos) return sqlite3_result_int64(context, 0);
  const auto before = static_cast<std::int64_t>(at);
  const auto pieces = is_bytes ? 0 : std::count_if(text.begin(), text.begin() + before, is_continuation);
  sqlite3_result_int64(context, before - pieces + 1);
}

// The same pattern is asked of each row.
template <typename Make>
const Pattern* kept_pattern(sqlite3_context* context, Make&& make) {
  if (const auto* kept = static_cast<const Pattern*>(sqlite3_get_auxdata(context, 0))) return kept;
  auto made = std::make_unique<Pattern>(make());
  sqlite3_set_auxdata(context, 0, made.release(), [](void* pattern) { delete static_cast<Pattern*>(pattern); });
  return static_cast<const Pattern*>(sqlite3_get_auxdata(context, 0));
}

std::optional<char32_t> escape_of(int count, Values values) {
  if (count < 3) return 0;
  const std::string_view text = text_of(values[2]);
  std::size_t at = 0;
  const char32_t code = text.empty() ? 0 : take_char(text, at);
  return at == 0 || at < text.size() ? std::nullopt : std::optional(code);
}

template <bool kIsGlob>
void match_pattern(sqlite3_context* context, int count, Values values) {
  if (is_null(values[0]) || is_null(values[1]) || (count == 3 && is_null(values[2]))) return;
  const auto escape = escape_of(count, values);
  if (!escape) return sqlite3_result_error(context, "ESCAPE expression must be a single character", -1);
  const std::string_view text = text_of(values[0]);
  if (text.size() >
      static_cast<std::size_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1)))
    return sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
  const auto make = [&] { return kIsGlob ? Pattern::glob(text) : Pattern::like(text, *escape); };
  const Pattern* pattern = kept_pattern(context, make);
  if (pattern == nullptr) return sqlite3_result_error_nomem(context);
  const auto& budget = *static_cast<const Budget*>(sqlite3_user_data(context));
  if (const auto is_match = pattern->matches(text_of(values[1]), budget)) return sqlite3_result_int(context, *is_match);
  sqlite3_result_error_code(context, SQLITE_INTERRUPT);
}

// text REGEXP expression, which is regexp(expression, text).
void match_regexp(sqlite3_context* context, int, Values values) {
  if (is_null(values[0]) || is_null(values[1])) return;
  const auto* kept = static_cast<const Regexp*>(sqlite3_get_auxdata(context, 0));
  Regexp made;
  if (kept == nullptr) {
    auto compiled = Regexp::compile(text_of(values[0]));
    if (!compiled) return sqlite3_result_error(context, compiled.error().message.c_str(), -1);
    made = *std::move(compiled);
  }
  const auto& budget = *static_cast<const Budget*>(sqlite3_user_data(context));
  const auto is_match = (kept != nullptr ? *kept : made).is_in(text_of(values[1]), budget);
  is_match ? sqlite3_result_int(context, *is_match) : sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  if (kept == nullptr)
    sqlite3_set_auxdata(context, 0, new Regexp(std::move(made)), [](void* of) { delete static_cast<Regexp*>(of); });
}

void print_formatted(sqlite3_context* context, int count, Values values) {
  if (count == 0 || is_null(values[0])) return;
  const auto text = formatted_text(text_of(values[0]), {values + 1, values + count}, most_bytes(context));
  text ? give(context, *text) : sqlite3_result_error_toobig(context);
}

// An exception of a function must not pass through SQLite.
template <void (*kFunction)(sqlite3_context*, int, Values)>
void without_throwing(sqlite3_context* context, int count, Values values) {
  try {
    kFunction(context, count, values);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

}  // namespace

int add_text_functions(sqlite3* connection, const Budget& budget) {
  constexpr int kPure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  int code = SQLITE_OK;
  const auto add = [&](const char* name, std::initializer_list<int> counts, auto function) {
    for (const int count : counts) {
      if (code != SQLITE_OK) return;
      code = sqlite3_create_function_v2(connection, name, count, kPure, const_cast<Budget*>(&budget), function, nullptr,
                                        nullptr, nullptr);
    }
  };
  add("trim", {1, 2}, without_throwing<trim<true, true>>);
  add("ltrim", {1, 2}, without_throwing<trim<true, false>>);
  add("rtrim", {1, 2}, without_throwing<trim<false, true>>);
  add("replace", {3}, without_throwing<replace>);
  add("instr", {2}, without_throwing<instr>);
  add("like", {2, 3}, without_throwing<match_pattern<false>>);
  add("glob", {2}, without_throwing<match_pattern<true>>);
  add("regexp", {2}, without_throwing<match_regexp>);
  add("printf", {-1}, without_throwing<print_formatted>);
  add("format", {-1}, without_throwing<print_formatted>);
  return code;
}

}  // namespace vizd::sql
