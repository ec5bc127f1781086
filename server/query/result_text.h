// A result as text for other programs: CSV, TSV, JSON. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "query/database.h"

namespace vizd::sql {

enum class TextFormat {
  kCsv,        // RFC 4180, the names of the columns first; null is an empty field, an empty text ""
  kTsv,        // likewise; \t, \n, \r and \\ in texts
  kJson,       // an array of objects
  kJsonLines,  // an object a line
};
std::optional<TextFormat> text_format(std::string_view name);  // "csv", "tsv", "json"
std::string_view content_type(TextFormat format);              // as HTTP names it

class TextSink : public ResultSink {
 public:
  // Takes up to so many rows. write is given whole lines.
  TextSink(TextFormat format, std::uint64_t most_rows, std::function<void(std::string_view)> write)
      : format_(format), most_rows_(most_rows), write_(std::move(write)) {}

  void begin(const std::vector<ResultColumn>& columns) override;
  bool add(const std::vector<Value>& row) override;
  // After the last row.
  void end();

  std::uint64_t rows() const { return rows_; }

 private:
  std::string line_of(const std::vector<Value>& row) const;

  TextFormat format_;
  std::uint64_t most_rows_;
  std::function<void(std::string_view)> write_;
  std::vector<std::string> names_;
  std::uint64_t rows_ = 0;
};

// The value as CSV and TSV have it, without quotes: "" for null, a number's shortest text.
std::string plain_text(const Value& value);

}  // namespace vizd::sql
