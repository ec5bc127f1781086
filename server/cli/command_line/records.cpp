#include "cli/command_line/records.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/assert.h"
#include "base/clean_text.h"
#include "base/json_writer.h"
#include "base/text_columns.h"
#include "cli/command_line/terminal.h"

namespace vizd {
namespace {

constexpr const char* kBold = "\x1B[1m";
constexpr const char* kPlain = "\x1B[0m";

std::string text_of(const Cell& cell, bool colour) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *number);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{:.3f}", *real);
  if (const auto* text = std::get_if<std::string>(&cell)) return one_line(*text, colour);
  return "";
}

void write_cell(JsonWriter& json, const Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    json.number(*number);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    json.real(*real);
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    json.text(many_lines(*text, false));
  } else {
    json.null();
  }
}

std::string table_field(const Cell& cell, char separator) {
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  const auto* const text = std::get_if<std::string>(&cell);
  if (text == nullptr) return text_of(cell, false);
  const std::string plain = many_lines(*text, false);
  if (plain.find_first_of("\"\r\n") == std::string::npos && plain.find(separator) == std::string::npos) return plain;
  std::string quoted = "\"";
  for (const char c : plain) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

void Records::add(std::vector<Cell> cells) {
  VIZD_ASSERT(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Records::json() const {
  std::string text;
  for (const auto& row : rows_) {
    JsonWriter json(text);
    json.begin_object();
    for (std::size_t c = 0; c < columns_.size(); ++c) write_cell(json.key(columns_[c]), row[c]);
    json.end_object();
    text += '\n';
  }
  return text;
}

void Records::print_json(std::FILE* out) const { fmt::print(out, "{}", json()); }

void Records::print_table(std::FILE* out, bool colour) const {
  std::vector<std::size_t> width;
  std::vector<bool> is_number(columns_.size(), !rows_.empty());
  for (const std::string& column : columns_) width.push_back(column.size());
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      width[c] = std::max(width[c], columns_on_screen(text_of(row[c], false)));
      if (std::holds_alternative<std::string>(row[c])) is_number[c] = false;
    }
  }
  const auto print_row = [&](const auto& text_in) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string text = text_in(c);
      const std::string pad(width[c] - columns_on_screen(text), ' ');
      const bool is_last = c + 1 == columns_.size();
      line += is_number[c] ? pad + text : is_last ? text : text + pad;
      if (!is_last) line += "  ";
    }
    fmt::print(out, "{}\n", line);
  };
  if (colour) fmt::print(out, "{}", kBold);
  print_row([&](std::size_t c) { return columns_[c]; });
  if (colour) fmt::print(out, "{}", kPlain);
  for (const auto& row : rows_) print_row([&](std::size_t c) { return text_of(row[c], colour); });
}

std::string Records::separated(char separator) const {
  std::string text;
  const auto add = [&](const auto& row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += separator;
      text += table_field(row[c], separator);
    }
    text += '\n';
  };
  add(columns_);
  for (const auto& row : rows_) add(row);
  return text;
}

void Records::fill(Workbook::Sheet& sheet) const { fill_sheet(sheet, columns_, rows_); }

void Records::print(std::FILE* out, bool json) const { json ? print_json(out) : print_table(out, wants_colour(out)); }

}  // namespace vizd
