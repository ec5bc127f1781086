// Cell: where a table writes one value of a row, for SQLite or for whoever else walks the table. One thread, for the
// time of the call.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "base/result.h"

struct sqlite3_context;

namespace vizd::sql {

// Takes values in SQLite's place. A text is as it is shown, and valid for the time of the call.
class CellSink {
 public:
  virtual ~CellSink() = default;
  virtual void null() = 0;
  virtual void integer(std::int64_t value) = 0;
  virtual void real(double value) = 0;
  virtual void text(std::string_view value) = 0;
  virtual void error(const Error& error) = 0;
};

class Cell {
 public:
  // Longer texts and blobs are cut: SQLite's own functions take time in their square.
  static constexpr std::size_t kMostBytes = 1'000'000;

  explicit Cell(sqlite3_context* context) : context_(context) {}
  explicit Cell(CellSink& sink) : sink_(&sink) {}

  void null();
  void integer(std::int64_t value);
  void real(double value);
  // Takes a text that outlives the query. Removes colours, and cuts it if it is too long.
  void text(std::string_view value);
  // Takes a text that shown_text() made.
  void clean_text(std::string_view value);
  // The same as text(), of one that does not outlive it.
  void copied_text(std::string_view value);
  // The query ends with this.
  void error(const Error& error);

  void integer_or_null(std::uint32_t id) { id == kNoId ? null() : integer(id); }
  void text_or_null(std::string_view value) { value.empty() ? null() : text(value); }

 private:
  sqlite3_context* context_ = nullptr;
  CellSink* sink_ = nullptr;  // null: SQLite
};

// Whether Cell::text() shows the text as it is; else copied and cleaned.
bool is_shown_as_is(std::string_view text);
// The text as tables show it: without colours and control characters, in UTF-8, cut where it is too long.
std::string shown_text(std::string_view text);

}  // namespace vizd::sql
