#include "query/cell.h"

#include <sqlite3.h>

#include <algorithm>

#include "base/clean_text.h"
#include "base/utf8.h"

namespace vizd::sql {

bool is_shown_as_is(std::string_view text) {
  // Printable ASCII and line breaks: nearly all texts.
  return text.size() <= Cell::kMostBytes &&
         std::ranges::all_of(text, [](char c) { return (c >= ' ' && c < '\x7F') || c == '\n' || c == '\t'; });
}

std::string shown_text(std::string_view text) {
  if (is_shown_as_is(text)) return std::string(text);
  std::string shown = many_lines(text.substr(0, Cell::kMostBytes), false);
  shown.resize(cut_text(shown, Cell::kMostBytes).size());
  return shown;
}

void Cell::null() { sink_ != nullptr ? sink_->null() : sqlite3_result_null(context_); }
void Cell::integer(std::int64_t value) {
  sink_ != nullptr ? sink_->integer(value) : sqlite3_result_int64(context_, value);
}
void Cell::real(double value) { sink_ != nullptr ? sink_->real(value) : sqlite3_result_double(context_, value); }

void Cell::text(std::string_view value) { is_shown_as_is(value) ? clean_text(value) : copied_text(value); }

void Cell::clean_text(std::string_view value) {
  if (sink_ != nullptr) return sink_->text(value);
  sqlite3_result_text(context_, value.data() == nullptr ? "" : value.data(), static_cast<int>(value.size()),
                      SQLITE_STATIC);
}

void Cell::copied_text(std::string_view value) {
  const std::string shown = shown_text(value);
  if (sink_ != nullptr) return sink_->text(shown);
  sqlite3_result_text(context_, shown.data(), static_cast<int>(shown.size()), SQLITE_TRANSIENT);
}

void Cell::error(const Error& error) {
  if (sink_ != nullptr) return sink_->error(error);
  const std::string text = error.text();
  sqlite3_result_error(context_, text.data(), static_cast<int>(text.size()));
}

}  // namespace vizd::sql
