#include "base/workbook.h"

#include <fmt/core.h>
#include <unistd.h>
#include <xlsxwriter.h>

#include <array>
#include <utility>

#include "base/clean_text.h"
#include "base/exact_number.h"
#include "system/descriptors.h"

namespace vizd {
namespace {

constexpr std::size_t kMostName = 31;           // characters of a sheet's name
constexpr std::size_t kMostCell_bytes = 32767;  // characters that a cell takes; bytes are never fewer

constexpr lxw_color_t kRed = 0xF8CBAD, kYellow = 0xFFE699;

std::string fitting_name(std::string_view name, std::size_t most) {
  std::string fitting;
  for (const char c : name.substr(0, most))
    fitting += std::string_view("[]:*?/\\'").find(c) != std::string_view::npos ||
                       static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F
                   ? '_'
                   : c;
  return fitting.empty() ? "sheet" : fitting;
}

}  // namespace

Workbook::Workbook() : fd_(make_nameless_file("vizd-workbook")) {
  if (fd_ < 0) return;
  const std::string path = path_of_descriptor(fd_);
  lxw_workbook_options options{};
  options.constant_memory = LXW_TRUE;
  options.use_zip64 = LXW_TRUE;
  book_ = workbook_new_opt(path.c_str(), &options);
}

Workbook::~Workbook() {
  if (book_ != nullptr) workbook_close(book_);
  if (fd_ >= 0) close(fd_);
}

Workbook::Sheet Workbook::add_sheet(std::string_view name) {
  std::string fitting = fitting_name(name, kMostName);
  for (int times = 2; names_.contains(fitting); ++times) {
    const std::string number = fmt::format(" ({})", times);
    fitting = fitting_name(name, kMostName - number.size()) + number;
  }
  names_[fitting] = 1;
  return Sheet(*this, book_ == nullptr ? nullptr : workbook_add_worksheet(book_, fitting.c_str()));
}

Result<void> Workbook::finish(const std::function<void(std::string_view part)>& write) {
  const auto failed = [](const char* why) {
    return Error{ErrorKind::kInternal, fmt::format("the workbook cannot be written: {}", why), ""};
  };
  if (book_ == nullptr) return failed("out of memory");
  const lxw_error error = workbook_close(std::exchange(book_, nullptr));
  if (error != LXW_NO_ERROR) return failed(lxw_strerror(error));
  std::array<char, std::size_t{1} << 16> part;
  for (off_t at = 0;;) {
    const ssize_t size = pread(fd_, part.data(), part.size(), at);
    if (size < 0) return failed("the written data cannot be read back");
    if (size == 0) return {};
    write({part.data(), static_cast<std::size_t>(size)});
    at += size;
  }
}

lxw_format* Workbook::format(Look look) {
  if (look == Look::kPlain) return nullptr;
  lxw_format*& format = formats_[look];
  if (format != nullptr) return format;
  format = workbook_add_format(book_);
  if (look == Look::kHeading) {
    format_set_bold(format);
  } else {
    format_set_bg_color(format, look == Look::kBad ? kRed : kYellow);
  }
  return format;
}

void Workbook::Sheet::put(std::uint32_t row, std::uint16_t column, double number, Look look) {
  if (sheet_ != nullptr && row < kMostRows) worksheet_write_number(sheet_, row, column, number, book_.format(look));
}

void Workbook::Sheet::put(std::uint32_t row, std::uint16_t column, std::int64_t number, Look look) {
  if (is_exact(number)) return put(row, column, static_cast<double>(number), look);
  put(row, column, fmt::format("{}", number), look);
}

void Workbook::Sheet::put(std::uint32_t row, std::uint16_t column, std::string_view text, Look look) {
  if (sheet_ == nullptr || row >= kMostRows || text.empty()) return;
  const std::string valid = many_lines(text.substr(0, kMostCell_bytes), false);
  worksheet_write_string(sheet_, row, column, valid.c_str(), book_.format(look));
}

void Workbook::Sheet::freeze(std::uint32_t row, std::uint16_t column) {
  if (sheet_ != nullptr) worksheet_freeze_panes(sheet_, row, column);
}

void Workbook::Sheet::set_width(std::uint16_t first_column, std::uint16_t last_column, double characters) {
  if (sheet_ != nullptr) worksheet_set_column(sheet_, first_column, last_column, characters, nullptr);
}

}  // namespace vizd
