#include "cli/command_line/records.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/assert.h"
#include "base/bounded_answers.h"
#include "base/clean_text.h"
#include "base/json_writer.h"
#include "base/standard_streams.h"
#include "base/text_columns.h"
#include "cli/command_line/command_line.h"
#include "cli/command_line/short_names.h"
#include "cli/command_line/terminal.h"

namespace vizd {
namespace {

constexpr const char* kBold = "\x1B[1m";
constexpr const char* kPlain = "\x1B[0m";
constexpr std::size_t kBetween = 2;       // columns between two of the table
constexpr std::size_t kLeastCut = 20;     // less of a text says nothing
constexpr std::size_t kMostPadded = 120;  // one text that is longer moves the rest of its own line alone

// Said on the command line, which is one for the whole program.
bool& is_wide() {
  static bool wide = false;
  return wide;
}

bool& links_are_wanted() {
  static bool wanted = false;
  return wanted;
}

std::size_t width_of(std::string_view heading, const std::vector<std::string>& texts) {
  std::size_t width = columns_on_screen(heading);
  for (const std::string& text : texts) width = std::max(width, columns_on_screen(text));
  return width;
}

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
  const std::string plain = spreadsheet_text(many_lines(*text, false));
  if (plain.find_first_of("\"\r\n") == std::string::npos && plain.find(separator) == std::string::npos) return plain;
  std::string quoted = "\"";
  for (const char c : plain) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

bool wants_links() { return links_are_wanted(); }

void describe_wide_tables(CommandLine& line) {
  line.flag("--wide", is_wide(), "Print tables at full width, however wide the terminal is").under(kCommonOptions);
  line.flag("--links", links_are_wanted(),
            "Print the id of each row, and the link that shows it on the page of a vizd that has the capture open")
      .under(kCommonOptions);
  // They are read before the command's line is, since what it prints goes through them (answer_bounds.h).
  static std::size_t bound = 0;
  line.option("--budget BYTES [8192 of tables in a pipe or with VIZD_AGENT=1, else none]", bound,
              "Print whole records up to this size, and then how to get the others; 0: all")
      .under(kCommonOptions);
  line.option("--after N", bound, "Skip the first N records of the answer").under(kCommonOptions);
}

void Records::add(std::vector<Cell> cells, RowId id) {
  VIZD_ASSERT(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
  ids_.push_back(std::move(id));
}

bool Records::has_ids() const {
  return std::ranges::any_of(ids_, [](const RowId& id) { return !id.id.empty(); });
}

Records Records::with_links() const {
  std::vector<std::string> columns{"id"};
  const bool has_links = std::ranges::any_of(ids_, [](const RowId& id) { return !id.link.empty(); });
  if (has_links) columns.emplace_back("link");
  columns.insert(columns.end(), columns_.begin(), columns_.end());
  Records linked(std::move(columns));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::vector<Cell> cells{ids_[r].id};
    if (has_links) cells.emplace_back(ids_[r].link);
    cells.insert(cells.end(), rows_[r].begin(), rows_[r].end());
    linked.add(std::move(cells));
  }
  return linked;
}

std::string Records::json() const {
  const bool has_own_id = std::ranges::find(columns_, "id") != columns_.end();
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    JsonWriter json(text);
    json.begin_object();
    for (std::size_t c = 0; c < columns_.size(); ++c) write_cell(json.key(columns_[c]), rows_[r][c]);
    if (!ids_[r].id.empty()) json.key(has_own_id ? "row_id" : "id").text(ids_[r].id);
    if (!ids_[r].link.empty()) json.key("link").text(ids_[r].link);
    json.end_object();
    text += '\n';
  }
  return text;
}

void Records::print_json(std::FILE* out) const { write_answer(json(), out); }

std::vector<std::vector<std::string>> Records::texts(bool colour) const {
  std::vector<std::vector<std::string>> texts(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (const auto& row : rows_) texts[c].push_back(text_of(row[c], colour));
  }
  return texts;
}

std::vector<std::size_t> Records::fit(std::vector<std::vector<std::string>>& texts, std::size_t columns) const {
  std::vector<std::size_t> shown(columns_.size()), widths;
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  for (const std::size_t c : shown) widths.push_back(width_of(columns_[c], texts[c]));
  const auto can_cut = [&](std::size_t c) {
    return widths[c] > kLeastCut &&
           std::ranges::any_of(rows_, [&](const auto& row) { return std::holds_alternative<std::string>(row[c]); });
  };
  const auto sum = [&](const auto& width_of_column) {
    std::size_t all = kBetween * (shown.size() - 1);
    for (const std::size_t c : shown) all += width_of_column(c);
    return all;
  };
  const auto least = [&](std::size_t c) {
    return can_cut(c) ? std::max(kLeastCut, columns_on_screen(columns_[c])) : widths[c];
  };
  // The last column has the name or the reason: those before it matter less the further to the right they are.
  while (shown.size() > 2 && sum(least) > columns) shown.erase(shown.end() - 2);
  // The widest first: what it need not give up stays with the others.
  std::vector<std::size_t> order = shown;
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t c) { return widths[c]; });
  for (const std::size_t c : order) {
    const std::size_t all = sum([&](std::size_t of) { return widths[of]; });
    if (all <= columns) break;
    if (!can_cut(c)) continue;
    const std::size_t others = all - widths[c];
    const std::size_t room = std::max(kLeastCut, columns > others ? columns - others : 0);
    texts[c] = shorten_names(texts[c]);
    if (width_of("", texts[c]) > room) texts[c] = cut_lines(texts[c], room);
    widths[c] = width_of(columns_[c], texts[c]);
  }
  return shown;
}

void Records::print_table(std::FILE* out, bool colour, std::size_t columns) const {
  auto texts = this->texts(colour);
  std::vector<std::size_t> shown(columns_.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (columns > 0 && !columns_.empty()) shown = fit(texts, columns);
  std::vector<std::size_t> width;
  std::vector<bool> is_number(columns_.size(), !rows_.empty());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    width.push_back(width_of(columns_[c], texts[c]));
    for (const auto& row : rows_) {
      if (std::holds_alternative<std::string>(row[c])) is_number[c] = false;
    }
  }
  std::string table;
  const auto add_row = [&](const auto& text_in) {
    std::string line;
    for (const std::size_t c : shown) {
      const std::string& text = text_in(c);
      const std::size_t shown_columns = columns_on_screen(text), room = std::min(width[c], kMostPadded);
      const std::string pad(room - std::min(room, shown_columns), ' ');
      const bool is_last = c == shown.back();
      line += is_number[c] ? pad + text : is_last ? text : text + pad;
      if (!is_last) line.append(kBetween, ' ');
    }
    table += line + '\n';
  };
  if (colour) table += kBold;
  add_row([&](std::size_t c) -> const std::string& { return columns_[c]; });
  if (colour) table += kPlain;
  write_answer_part(std::exchange(table, {}), AnswerPart::kHeading, out);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    add_row([&](std::size_t c) -> const std::string& { return texts[c][r]; });
  }
  const std::size_t left_out = columns_.size() - shown.size();
  if (left_out > 0) {
    table += fmt::format("({} more column{} would not fit the window; --wide prints all)\n", left_out,
                         left_out == 1 ? "" : "s");
  }
  write_answer(table, out);
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

void Records::print(std::FILE* out, bool json) const {
  if (json) return print_json(out);
  if (wants_links() && has_ids()) return with_links().print_table(out, wants_colour(out), 0);
  print_table(out, wants_colour(out), is_wide() ? 0 : window_columns(out));
}

}  // namespace vizd
