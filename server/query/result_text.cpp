#include "query/result_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/clean_text.h"
#include "base/json_writer.h"

namespace vizd::sql {
namespace {

std::string csv_field(std::string_view foreign, bool is_null) {
  if (is_null) return "";
  const std::string text = spreadsheet_text(std::string(foreign));
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string_view("\"\"") : std::string_view(&c, 1);
  return field + '"';
}

std::string tsv_field(std::string_view text) {
  std::string field;
  for (const char c : spreadsheet_text(std::string(text))) {
    const std::string_view escape = c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\\' ? "\\\\" : "";
    field += escape.empty() ? std::string_view(&c, 1) : escape;
  }
  return field;
}

void write_json(JsonWriter& json, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    json.number(*number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    json.real(*real);
  } else if (const auto* text = std::get_if<std::string_view>(&value)) {
    json.text(*text);
  } else {
    json.null();
  }
}

}  // namespace

std::optional<TextFormat> text_format(std::string_view name) {
  if (name == "csv") return TextFormat::kCsv;
  if (name == "tsv") return TextFormat::kTsv;
  if (name == "json") return TextFormat::kJson;
  return std::nullopt;
}

std::string_view content_type(TextFormat format) {
  switch (format) {
    case TextFormat::kCsv:
      return "text/csv; charset=utf-8";
    case TextFormat::kTsv:
      return "text/tab-separated-values; charset=utf-8";
    default:
      return "application/json";
  }
}

std::string plain_text(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  return "";
}

void TextSink::begin(const std::vector<ResultColumn>& columns) {
  for (const ResultColumn& column : columns) names_.push_back(column.name);
  if (format_ == TextFormat::kJson) write_("[");
  if (format_ != TextFormat::kCsv && format_ != TextFormat::kTsv) return;
  std::string line;
  for (const std::string& name : names_) {
    if (&name != &names_.front()) line += format_ == TextFormat::kCsv ? ',' : '\t';
    line += format_ == TextFormat::kCsv ? csv_field(name, false) : tsv_field(name);
  }
  write_(line + "\n");
}

std::string TextSink::line_of(const std::vector<Value>& row) const {
  std::string line;
  if (format_ == TextFormat::kJson || format_ == TextFormat::kJsonLines) {
    if (format_ == TextFormat::kJson) line = rows_ == 0 ? "\n" : ",\n";
    JsonWriter json(line);
    json.begin_object();
    for (std::size_t i = 0; i < row.size(); ++i) write_json(json.key(names_[i]), row[i]);
    json.end_object();
    return format_ == TextFormat::kJson ? line : line + "\n";
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool is_csv = format_ == TextFormat::kCsv;
    if (i > 0) line += is_csv ? ',' : '\t';
    const std::string text = plain_text(row[i]);
    line += is_csv ? csv_field(text, std::holds_alternative<std::monostate>(row[i])) : tsv_field(text);
  }
  return line + "\n";
}

bool TextSink::add(const std::vector<Value>& row) {
  if (rows_ == most_rows_) return false;
  write_(line_of(row));
  ++rows_;
  return true;
}

void TextSink::end() {
  if (format_ == TextFormat::kJson) write_("\n]\n");
}

}  // namespace vizd::sql
