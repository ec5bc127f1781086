#include "cli/records.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/assert.h"
#include "base/json_writer.h"
#include "cli/terminal.h"

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

std::string csv_field(const Cell& cell) {
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  const auto* const text = std::get_if<std::string>(&cell);
  if (text == nullptr) return text_of(cell, false);
  const std::string plain = many_lines(*text, false);
  if (plain.find_first_of(",\"\r\n") == std::string::npos) return plain;
  std::string quoted = "\"";
  for (const char c : plain) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

void Records::add(std::vector<Cell> cells) {
  VIZD_ASSERT(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

void Records::print_json(std::FILE* out) const {
  std::string line;
  for (const auto& row : rows_) {
    line.clear();
    JsonWriter json(line);
    json.begin_object();
    for (std::size_t c = 0; c < columns_.size(); ++c) write_cell(json.key(columns_[c]), row[c]);
    json.end_object();
    fmt::print(out, "{}\n", line);
  }
}

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

std::string Records::csv() const {
  std::string text;
  for (std::size_t c = 0; c < columns_.size(); ++c) text += (c == 0 ? "" : ",") + csv_field(columns_[c]);
  text += "\n";
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) text += (c == 0 ? "" : ",") + csv_field(row[c]);
    text += "\n";
  }
  return text;
}

void Records::fill(Workbook::Sheet& sheet) const {
  constexpr double kWidth = 14;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    sheet.put(0, static_cast<std::uint16_t>(c), columns_[c], Workbook::Look::kHeading);
  sheet.freeze(1, 0);
  sheet.set_width(0, static_cast<std::uint16_t>(columns_.size() - 1), kWidth);
  const std::size_t most = std::min<std::size_t>(rows_.size(), Workbook::kMostRows - 1);
  for (std::uint32_t r = 0; r < most; ++r) {
    for (std::uint16_t c = 0; c < columns_.size(); ++c) {
      const Cell& cell = rows_[r][c];
      if (const auto* number = std::get_if<std::int64_t>(&cell)) sheet.put(r + 1, c, *number);
      if (const auto* real = std::get_if<double>(&cell)) sheet.put(r + 1, c, *real);
      if (const auto* text = std::get_if<std::string>(&cell))
        sheet.put(r + 1, c, std::string_view(many_lines(*text, false)));
    }
  }
}

void Records::print(std::FILE* out, bool json) const { json ? print_json(out) : print_table(out, wants_colour(out)); }

}  // namespace vizd
